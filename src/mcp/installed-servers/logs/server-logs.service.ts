import { Injectable } from '@nestjs/common';
import { ServerSupervisor } from '../../processes/supervision/server-supervisor.js';
import { StderrRing, type LogLine } from '../../processes/supervision/stderr-ring.js';

/**
 * Holds the last stderr output of servers, from the processes that agents use and from the last verification. Kept in
 * memory only.
 */
@Injectable()
export class ServerLogsService {
  private readonly verifications = new Map<string, { ring: StderrRing; secrets: readonly string[] }>();

  constructor(private readonly supervisor: ServerSupervisor) {}

  /** Returns a new ring for a verification that begins; it replaces the ring of the previous one. */
  ringOfVerification(serverId: string, secrets: readonly string[]): StderrRing {
    const ring = new StderrRing();
    this.verifications.set(serverId, { ring, secrets });
    return ring;
  }

  /** Returns the lines, oldest first and masked, at most 64 KiB from each of the two sources. */
  linesOf(serverId: string): LogLine[] {
    const verification = this.verifications.get(serverId);
    const verified = verification ? verification.ring.lines(verification.secrets) : [];
    return [...verified, ...this.supervisor.logs(serverId)].toSorted((a, b) => a.at.localeCompare(b.at));
  }

  forget(serverId: string): void {
    this.verifications.delete(serverId);
  }
}
