import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { refuseUnlessInstallable } from '../../catalog/installability.js';
import { openConnection, type McpConnection } from '../../processes/mcp-connection.js';
import { McpStartFailure } from '../../processes/mcp-errors.js';
import type { SupervisorSettings } from '../../processes/supervisor-settings.js';
import { RuntimeService } from '../../runtime/runtime.service.js';
import { ServerLogs } from '../logs/server-logs.js';
import { PackageRestorer } from '../running/package-restorer.js';
import { PROCESS_SETTINGS } from '../running/process-settings.js';
import { ServerDescriptions, type ServerInstance } from '../running/server-descriptions.js';
import { definitionsOf, type ToolDefinition } from '../tools/tool-definition.js';
import { Places } from './places.js';
import { probeCredentials } from './credential-probe.js';
import { failureOf } from './verification-failure.js';
import type { CredentialState, VerificationOutcome, VerificationPhase } from './verification.js';
import { failed, passed } from './verification-answer.js';

/** In all 30 s (spec §3.3): what is left is for ending the process. */
const LIMIT_MS = 28_500;

/** Each is a process beside those that agents use; what is more waits, and its 30 s begin after that. */
const AT_ONCE = 8;

/** It has answered already, and keeps nothing that would be lost. */
const SHORT_LADDER = { afterEndOfInputMs: 500, afterTerminateMs: 500 };

/**
 * Verifies a server by a connection of its own, beside those that agents use: a fresh process with an empty
 * data folder, or a fresh session, that must greet and list its tools. Touches no row.
 */
@Injectable()
export class ServerVerifier {
  private readonly places = new Places(AT_ONCE);

  constructor(
    private readonly runtimes: RuntimeService,
    private readonly packages: PackageRestorer,
    private readonly descriptions: ServerDescriptions,
    private readonly logs: ServerLogs,
    @Inject(PROCESS_SETTINGS) private readonly settings: SupervisorSettings,
  ) {}

  /**
   * @param ended the server is going away: the verification fails at once
   * @throws the reason of `ended`, where that fires before there is room for one more verification
   */
  verify(
    instance: () => Promise<ServerInstance>,
    entry: CatalogEntry,
    ended: AbortSignal,
  ): Promise<VerificationOutcome> {
    return this.places.run(() => this.verifyNow(instance, entry, ended), ended);
  }

  private async verifyNow(
    instance: () => Promise<ServerInstance>,
    entry: CatalogEntry,
    ended: AbortSignal,
  ): Promise<VerificationOutcome> {
    const run: Run = {
      phase: 'runtime',
      startedAt: performance.now(),
      signal: AbortSignal.any([ended, AbortSignal.timeout(LIMIT_MS)]),
    };
    try {
      await this.checkRuntime(entry);
      const server = await instance();
      run.phase = 'package';
      await this.packages.restore(server, run.signal);
      run.phase = 'spawn';
      return await this.connectAndList(server, run);
    } catch (error) {
      return this.outcomeOf(error, run);
    }
  }

  private async checkRuntime(entry: CatalogEntry): Promise<void> {
    refuseUnlessInstallable(entry, await this.runtimes.report());
  }

  private async connectAndList(server: ServerInstance, run: Run): Promise<VerificationOutcome> {
    const scope = `verify-${randomUUID()}`;
    const description = await this.descriptions.descriptionOf({ ...server, eraVerdict: null }, scope);
    run.startedAt = performance.now();
    const ring = this.logs.ringOfVerification(server.id, description.secrets);
    const phase = (reached: VerificationPhase): void => void (run.phase = reached);
    let connection: McpConnection | null = null;
    try {
      connection = await openConnection(description, {
        ...this.settings,
        ring,
        phase,
        startTimeoutMs: LIMIT_MS,
        signal: run.signal,
      });
      run.phase = 'list';
      const tools = definitionsOf(await listTools(connection, run.signal));
      const latencyMs = Math.round(performance.now() - run.startedAt);
      const probe = { hasSecrets: description.secrets.length > 0, signal: run.signal };
      const credentials = await probeCredentials(connection, server.entry, probe);
      run.phase = 'done';
      return outcome(connection, { tools, latencyMs, credentials });
    } finally {
      await connection?.close(SHORT_LADDER);
      await rm(this.descriptions.dataFolder(server.id, scope), {
        recursive: true,
        force: true,
        maxRetries: 3,
      });
    }
  }

  private outcomeOf(error: unknown, { phase, startedAt, signal }: Run): VerificationOutcome {
    const failure =
      failureOf(error) ?? (signal.aborted ? { reason: '', stderrTail: '', credentialsRefused: false } : null);
    if (!failure) throw error;
    const reason = signal.aborted ? 'The server was not ready within 30 seconds.' : failure.reason;
    const at = error instanceof McpStartFailure ? error.phase : phase;
    const latencyMs = Math.round(performance.now() - startedAt);
    return { verification: failed({ ...failure, reason, phase: at, latencyMs }), found: null };
  }
}

/** `phase` is the one it is in; `startedAt` in milliseconds of the process. */
interface Run {
  phase: VerificationPhase;
  startedAt: number;
  signal: AbortSignal;
}

function listTools(
  connection: McpConnection,
  signal: AbortSignal,
): Promise<(ToolDefinition & Record<string, unknown>)[]> {
  return connection.listTools(signal);
}

function outcome(
  connection: McpConnection,
  found: { tools: ToolDefinition[]; latencyMs: number; credentials: CredentialState },
): VerificationOutcome {
  const { protocolVersion, serverInfo, verdict } = connection;
  const facts = { ...found, toolNames: found.tools.map(({ name }) => name), protocolVersion, serverInfo };
  return {
    verification: passed(facts),
    found: found.credentials === 'refused' ? null : { tools: found.tools, verdict },
  };
}
