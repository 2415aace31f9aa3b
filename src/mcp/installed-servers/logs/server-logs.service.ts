import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { ServerSupervisor } from '../../processes/supervision/server-supervisor.js';
import { linesOf } from '../../processes/supervision/server-log-line.js';
import { CredentialSetsRepository } from '../credential-sets/credential-sets.repository.js';
import { ServerLogLinesRepository, type LogBatch } from './server-log-lines.repository.js';
import { StderrRing, type LogLine } from '../../processes/supervision/stderr-ring.js';

/** In place of the name of a credential set that was deleted. */
const DELETED_SET = 'deleted';

/** A log line with the service process that read it, and the name of the credential set with which the server ran. */
export interface ProcessLogLine extends LogLine {
  process: string;
  credentialSet: string;
}

/**
 * Holds the last stderr output of servers, from the processes that agents use and from the last verification, in
 * memory, and merges what the other service processes publish.
 */
@Injectable()
export class ServerLogsService {
  /** The name of this service process. */
  readonly process = `${hostname()}:${process.pid}`;
  private readonly verifications = new Map<string, { ring: StderrRing; secrets: readonly string[] }>();

  constructor(
    private readonly supervisor: ServerSupervisor,
    private readonly published: ServerLogLinesRepository,
    private readonly sets: CredentialSetsRepository,
  ) {}

  /** Returns a new ring for a verification that begins; it replaces the ring of the previous one. */
  ringOfVerification(serverId: string, secrets: readonly string[]): StderrRing {
    const ring = new StderrRing();
    this.verifications.set(serverId, { ring, secrets });
    return ring;
  }

  /** Returns the lines of all processes, oldest first and masked. Those of other processes are at most 2 s old. */
  async linesOf(serverId: string): Promise<ProcessLogLine[]> {
    const others = await this.published.ofOthers(serverId, this.process);
    const verification = this.verifications.get(serverId);
    const verified = verification ? linesOf(serverId, verification.ring.lines(verification.secrets)) : [];
    const names = new Map((await this.sets.list(serverId)).map(({ id, name }) => [id, name]));
    const own = { process: this.process, lines: [...verified, ...this.supervisor.logs(serverId)] };
    return [...others, own]
      .flatMap(({ process: name, lines }) =>
        lines.map(({ credentialSetId, ...line }) => ({
          ...line,
          process: name,
          // A set that was deleted has no name any more; a line of an earlier release has no set.
          credentialSet: names.get(credentialSetId ?? serverId) ?? DELETED_SET,
        })),
      )
      .toSorted((a, b) => a.at.localeCompare(b.at));
  }

  /** Returns the lines that this process has read since the last call, of each server that wrote some. */
  take(): LogBatch[] {
    const verified = [...this.verifications].map(([serverId, { ring, secrets }]) => ({
      serverId,
      lines: linesOf(serverId, ring.take(secrets)),
    }));
    return [...verified, ...this.supervisor.takeLogs()].filter(({ lines }) => lines.length > 0);
  }

  forget(serverId: string): void {
    this.verifications.delete(serverId);
  }
}
