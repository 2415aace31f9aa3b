import { Injectable } from '@nestjs/common';
import { Encryption } from '../../../platform/encryption/encryption.service.js';
import type { CredentialChanges } from './credential-changes.js';
import { CredentialsRepository } from './credentials.repository.js';

/**
 * Stores the values of servers' variables. They are sealed before they are stored and opened right before a server is
 * called. The seal is bound to credential set and variable, so that a value moved to another row cannot be opened
 * (contract §3.3).
 */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly repository: CredentialsRepository,
    private readonly encryption: Encryption,
  ) {}

  /** @param setId the credential set; the set `default` has the id of its server */
  async apply(setId: string, { set, removed }: CredentialChanges): Promise<void> {
    const sealed = Object.entries(set).map(([name, value]) => ({
      name,
      sealed: this.encryption.seal(value, contextOf(setId, name)),
    }));
    await this.repository.put(setId, sealed);
    await this.repository.remove(setId, removed);
  }

  /** @throws {SealBroken} when a value was moved, or sealed with a key that the key ring lacks */
  open(setId: string, sealed: Readonly<Record<string, string>>): Record<string, string> {
    const opened = Object.entries(sealed).map(([name, value]) => [
      name,
      this.encryption.open(value, contextOf(setId, name)),
    ]);
    return Object.fromEntries(opened);
  }
}

function contextOf(setId: string, name: string): string {
  return `mcp_env|${setId}|${name}`;
}
