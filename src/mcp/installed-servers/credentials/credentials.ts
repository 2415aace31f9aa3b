import { Injectable } from '@nestjs/common';
import { Encryption } from '../../../platform/encryption/encryption.service.js';
import type { CredentialChanges } from './credential-changes.js';
import { CredentialsRepository } from './credentials.repository.js';

/**
 * The values of servers' variables. They are sealed before they are stored and opened only when a server is
 * about to be called; the seal is bound to server and variable, so a value moved to another row does not open
 * (spec §3.3).
 */
@Injectable()
export class Credentials {
  constructor(
    private readonly repository: CredentialsRepository,
    private readonly encryption: Encryption,
  ) {}

  async apply(serverId: string, { set, removed }: CredentialChanges): Promise<void> {
    const sealed = Object.entries(set).map(([name, value]) => ({
      name,
      sealed: this.encryption.seal(value, contextOf(serverId, name)),
    }));
    await this.repository.put(serverId, sealed);
    await this.repository.remove(serverId, removed);
  }

  /** @throws {SealBroken} for a value that was moved, or sealed with a key that is gone */
  open(serverId: string, sealed: Readonly<Record<string, string>>): Record<string, string> {
    const opened = Object.entries(sealed).map(([name, value]) => [
      name,
      this.encryption.open(value, contextOf(serverId, name)),
    ]);
    return Object.fromEntries(opened);
  }
}

function contextOf(serverId: string, name: string): string {
  return `mcp_env|${serverId}|${name}`;
}
