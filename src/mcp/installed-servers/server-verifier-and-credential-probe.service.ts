import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Semaphore } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import { type CatalogEntry, uncheckedBecause } from '../catalog/catalog-entry.js';
import { refuseUnlessInstallable, runtimeWarning } from '../catalog/installability-and-runtime-detection.js';
import type { McpConnection } from '../processes/connection/mcp-connection.js';
import {
  isRefusal,
  McpError,
  McpStartFailure,
  McpUnavailable,
  type StartPhase,
} from '../processes/connection/mcp-errors.js';
import { openConnection } from '../processes/connection/open-connection.js';
import type { SupervisorSettings } from '../processes/supervision/supervisor-settings.js';
import {
  PackageRestoreService,
  ServerDescriptionsService,
  type ServerInstance,
} from '../running/server-descriptions-and-package-locks.service.js';
import { ServerLogsService } from '../running/server-logs.service.js';
import { RuntimeService } from '../runtime/runtime.service.js';
import { PROCESS_SETTINGS } from '../server-processes/supervisor-sandbox-and-sweep.provider.js';
import { WarningList } from '../server-records/definition-rules-and-warnings.js';
import type {
  CredentialState,
  VerificationOutcome,
  VerificationPhase,
} from '../server-records/server-records.entities.js';
import { type ListedTool, listingOf } from '../server-records/tool-definition.js';
import { failed, failureOf, lateReason, passed, type PassedFacts, StepClock } from './verification-result.js';
import {
  startHint,
  warnOfCost,
  warnOfOffers,
  warnOfSchemas,
  warnOfStray,
} from './verification-warnings-and-hints.js';

/** The whole verification may take 30 s (contract §3.3); the rest is for ending the process. */
const LIMIT_MS = 28_500;

/** Each verification is a process beside those that agents use. Further ones wait, and their 30 s begin after that. */
const AT_ONCE = 8;

/** The process has responded and holds nothing that could be lost, so it gets little time to exit. */
const SHORT_LADDER = { afterEndOfInputMs: 500, afterTerminateMs: 500 };

/** A running verification: its present phase and its start in milliseconds of `performance.now()`. */
interface Run {
  phase: VerificationPhase;
  steps: StepClock;
  startedAt: number;
  signal: AbortSignal;
  warnings: WarningList;
}

/**
 * Verifies a server over a separate connection, beside those that agents use: a new process with an empty data folder,
 * or a new session, that must complete the handshake and list its tools. Its callers give it the credential set
 * `default` (contract §3.5). Changes no row.
 */
@Injectable()
export class ServerVerifierService {
  private readonly verifications = new Semaphore(AT_ONCE);

  constructor(
    private readonly runtimes: RuntimeService,
    private readonly packages: PackageRestoreService,
    private readonly descriptions: ServerDescriptionsService,
    private readonly logs: ServerLogsService,
    @Inject(PROCESS_SETTINGS) private readonly settings: SupervisorSettings,
  ) {}

  /**
   * @param ended fires when the server is removed or the service stops; the verification then fails at once
   * @throws the reason of `ended` when that fires while the verification still waits for its turn
   */
  verify(
    instance: () => Promise<ServerInstance>,
    entry: CatalogEntry,
    ended: AbortSignal,
  ): Promise<VerificationOutcome> {
    return this.verifications.run(() => this.verifyNow(instance, entry, ended), ended);
  }

  private async verifyNow(
    instance: () => Promise<ServerInstance>,
    entry: CatalogEntry,
    ended: AbortSignal,
  ): Promise<VerificationOutcome> {
    const run: Run = {
      phase: 'runtime',
      steps: new StepClock(entry.transport === 'stdio' ? [] : ['package', 'spawn']),
      startedAt: performance.now(),
      signal: AbortSignal.any([ended, AbortSignal.timeout(LIMIT_MS)]),
      warnings: new WarningList(),
    };
    try {
      reach(run, 'runtime');
      await this.checkRuntime(entry, run.warnings);
      const server = await instance();
      reach(run, 'package');
      await this.packages.restore(server, run.signal);
      reach(run, 'spawn');
      return await this.connectAndList(server, run);
    } catch (error) {
      return this.outcomeOf(error, run, entry);
    }
  }

  private async checkRuntime(entry: CatalogEntry, warnings: WarningList): Promise<void> {
    const report = await this.runtimes.report();
    refuseUnlessInstallable(entry, report);
    const warning = runtimeWarning(entry, report);
    if (warning) warnings.add('runtime', warning);
  }

  private async connectAndList(server: ServerInstance, run: Run): Promise<VerificationOutcome> {
    const scope = `verify-${randomUUID()}`;
    const description = await this.descriptions.descriptionOf({ ...server, eraVerdict: null }, scope);
    run.startedAt = performance.now();
    const ring = this.logs.ringOfVerification(server.id, description.secrets);
    const phase = (reached: StartPhase): void => reach(run, reached);
    let connection: McpConnection | null = null;
    try {
      connection = await openConnection(description, {
        ...this.settings,
        ring,
        phase,
        startTimeoutMs: LIMIT_MS,
        signal: run.signal,
      });
      run.steps.found(versionOf(connection));
      reach(run, 'list');
      const { warnings } = run;
      const tools = await listingOf(await connection.listTools(run.signal), warnings);
      run.steps.found(`${tools.length} tools`);
      warnOfSchemas(tools, warnings);
      warnOfCost(tools, warnings);
      warnOfStray(connection, warnings);
      const latencyMs = Math.round(performance.now() - run.startedAt);
      await warnOfOffers(connection, warnings, run.signal);
      const hasSecrets = description.secrets.length > 0;
      const hasToken =
        description.transport !== 'stdio' && ((await description.tokens?.token()) ?? null) !== null;
      const toolNames = namesOf(tools);
      run.steps.enter('credentials');
      const probe = { hasSecrets: hasSecrets || hasToken, toolNames, signal: run.signal };
      const credentials = await probeCredentials(connection, server.entry, probe);
      run.phase = 'done';
      const { steps } = run;
      const { credentialProbe, noProbeReason } = server.entry.manifest;
      const whyUnchecked = credentialProbe ? null : uncheckedBecause(noProbeReason);
      const facts = { latencyMs, credentials, hasSecrets, hasToken, whyUnchecked, steps };
      return outcome(connection, { tools, warnings: warnings.all(), ...facts });
    } finally {
      await connection?.close(SHORT_LADDER);
      await rm(this.descriptions.dataFolder(server.id, scope), {
        recursive: true,
        force: true,
        maxRetries: 3,
      });
    }
  }

  private outcomeOf(
    error: unknown,
    { phase, startedAt, signal, steps, warnings }: Run,
    entry: CatalogEntry,
  ): VerificationOutcome {
    const failure =
      failureOf(error) ?? (signal.aborted ? { reason: '', stderrTail: '', credentialsRefused: false } : null);
    if (!failure) throw error;
    const reason = signal.aborted ? lateReason(failure.stderrTail) : failure.reason;
    const at = error instanceof McpStartFailure ? error.phase : phase;
    const latencyMs = Math.round(performance.now() - startedAt);
    const hint = startHint(entry, failure.stderrTail);
    const facts = { ...failure, reason, phase: at, latencyMs, steps, warnings: warnings.all(), hint };
    return { verification: failed(facts), found: null };
  }
}

function reach(run: Run, phase: Exclude<VerificationPhase, 'done'>): void {
  run.phase = phase;
  run.steps.enter(phase);
}

function versionOf({ protocolVersion, serverInfo }: McpConnection): string {
  return [protocolVersion, ...(serverInfo ? [serverInfo.name, serverInfo.version] : [])].join(' ');
}

/** Returns the names of the tools that agents may get. */
function namesOf(tools: readonly ListedTool[]): string[] {
  return tools.filter(({ invalid }) => invalid === null).map(({ definition }) => definition.name);
}

function outcome(
  connection: McpConnection,
  found: Pick<
    PassedFacts,
    'latencyMs' | 'warnings' | 'credentials' | 'hasSecrets' | 'hasToken' | 'whyUnchecked' | 'steps'
  > & {
    tools: ListedTool[];
  },
): VerificationOutcome {
  const { protocolVersion, serverInfo, verdict } = connection;
  const facts = { ...found, toolNames: namesOf(found.tools), protocolVersion, serverInfo };
  return {
    verification: passed(facts),
    found: found.credentials === 'refused' ? null : { tools: found.tools, verdict },
  };
}

/** Codes and messages of Node, undici, Go, Python and .NET for failed name lookups, connections and responses. */
const SIGNS = new RegExp(
  [
    '\\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)\\b',
    '\\bUND_ERR_(CONNECT|HEADERS|BODY|SOCKET)',
    'fetch failed|socket hang up|getaddrinfo|no such host|dial (tcp|udp)|i/o timeout|context deadline exceeded',
    "host ?name not found|name or service not known|(temporary failure in )?name resolution|could ?n[o'’]t resolve host|failed to resolve",
    'connection (was )?(refused|reset|aborted|timed out)|network (is unreachable|error)|no route to host',
    '(connect|connection|request) ?(has )?(timeout|timed out)|max retries exceeded|unable to connect',
    '\\b(502 bad gateway|503 service unavailable|504 gateway time-?out)\\b',
    // A spent quota is no wrong credential.
    '\\b429\\b|too many requests|rate limit(ed)? exceeded|quota (was |has been )?exceeded',
  ].join('|'),
  'i',
);

/**
 * Returns whether a server reports in its own words that it could not reach the service behind it. Tools report that
 * with `isError`, like every other error, but it says nothing about the credentials. A text that names both a network
 * error and a 401 (Azure's library lists every method that it tried) counts as unreachable.
 */
export function reportsUnreachable(result: Record<string, unknown>): boolean {
  return SIGNS.test(JSON.stringify(result.content ?? ''));
}

/**
 * Runs the entry's credential probe, a harmless tool call that fails with a wrong credential, if the entry has one and
 * there is a credential to test. A call without a response, from the server or from the service behind it, proves
 * nothing. Nor does a tool that the server does not list: a remote server changes its tools without the catalogue.
 */
async function probeCredentials(
  connection: McpConnection,
  { manifest: { credentialProbe } }: CatalogEntry,
  options: { hasSecrets: boolean; toolNames: readonly string[]; signal: AbortSignal },
): Promise<CredentialState> {
  if (!credentialProbe || !options.hasSecrets) return 'unchecked';
  if (!options.toolNames.includes(credentialProbe.tool)) return 'unchecked';
  try {
    const params = { name: credentialProbe.tool, arguments: credentialProbe.arguments };
    const result = await connection.request('tools/call', params, { signal: options.signal });
    if (result.isError !== true) return 'accepted';
    return reportsUnreachable(result) ? 'unchecked' : 'refused';
  } catch (error) {
    if (error instanceof McpError)
      return reportsUnreachable({ content: error.message }) ? 'unchecked' : 'refused';
    if (!(error instanceof McpUnavailable)) throw error;
    return isRefusal(error) ? 'refused' : 'unchecked';
  }
}
