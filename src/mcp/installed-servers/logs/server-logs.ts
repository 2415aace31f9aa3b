import { Injectable } from '@nestjs/common';
import { ServerSupervisor } from '../../processes/server-supervisor.js';
import { StderrRing, type LogLine } from '../../processes/stderr-ring.js';

/** What servers wrote to stderr last: those that agents use, and the last verification's. In memory only. */
@Injectable()
export class ServerLogs {
  private readonly verifications = new Map<string, { ring: StderrRing; secrets: readonly string[] }>();

  constructor(private readonly supervisor: ServerSupervisor) {}

  /** A new ring for a verification that begins; it replaces that of the one before. */
  ringOfVerification(serverId: string, secrets: readonly string[]): StderrRing {
    const ring = new StderrRing();
    this.verifications.set(serverId, { ring, secrets });
    return ring;
  }

  /** Oldest first, secrets masked; 64 KiB of each of the two at most. */
  linesOf(serverId: string): LogLine[] {
    const verification = this.verifications.get(serverId);
    const verified = verification ? verification.ring.lines(verification.secrets) : [];
    return [...verified, ...this.supervisor.logs(serverId)].toSorted((a, b) => a.at.localeCompare(b.at));
  }

  forget(serverId: string): void {
    this.verifications.delete(serverId);
  }
}
