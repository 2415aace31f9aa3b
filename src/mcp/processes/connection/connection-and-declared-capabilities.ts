import {
  type Client,
  type ElicitResult,
  ProtocolError,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/client';
import { VERSION } from '../../../platform/config/settings.js';
import { withMarks, withNumbers } from '../../../platform/json/exact-json.js';
import type { Refusals } from '../network/egress-connections-and-name-lookups.js';
import type { EraVerdict } from '../server-description-and-limits.js';
import type { StopLadder } from '../supervision/end-process.js';
import type { ProcessRow } from '../supervision/process-table-and-folder-bytes.js';
import type { AnswerMask } from './answer-mask.js';
import { CLIENT_OPTIONS, ConnectionRequests, listAllTools } from './connection-requests.js';
import { ExactClient } from './exact-messages.js';
import type { MessageLimits } from './frames.js';
import {
  asPrior,
  type LogNotice,
  logLineOf,
  type McpConnection,
  type RequestOptions,
  type ServerQuestion,
  type StrayOutput,
  verdictOf,
} from './mcp-connection.js';
import {
  asCallFailure,
  isRefusal,
  McpError,
  McpStartFailure,
  type StartPhase,
  withRefusals,
} from './mcp-errors.js';
import { OpenRequests, QuestionRefused, ResourceStreams } from './server-questions-and-resource-streams.js';
import type { ShortRequests } from './short-requests.js';

/** What a connection needs beside its transport: the server behind it, and the listeners of its events. */
export interface ConnectionSetup {
  /** Masks the secrets of the server in what it sends. */
  mask: AnswerMask;
  prior?: EraVerdict;
  startTimeoutMs: number;
  limits: MessageLimits;
  signal?: AbortSignal;
  phase?: (phase: StartPhase) => void;
  pid: number | null;
  stderrTail: () => string;
  /** Adds a line to the log of the server. */
  note: (line: string) => void;
  /** What a process wrote to stdout that is no message; absent for a remote server. */
  stray?: () => StrayOutput;
  processes: (table: readonly ProcessRow[]) => ProcessRow[];
  storedBytes: (most: number) => Promise<number>;
  /** Where requests need not go through the SDK's client, see `ShortRequests`. */
  short?: ShortRequests;
  /** What the network rule of the server refuses; null for a server in the host's network. */
  refusals?: Refusals | null;
  /** Whether requests belong to a session that the server may forget; absent for a process. */
  hasSession?: () => boolean;
  end: (ladder?: StopLadder) => Promise<void>;
  /** Why the transport ended, for people. */
  endReason: () => Promise<string>;
}

type List = 'tools' | 'prompts' | 'resources';

/**
 * Calls `notify` when the server reports that one of its lists has changed. In the old era the notification comes
 * unasked. In the new era the client subscribes to it, and subscribes again when the stream breaks.
 */
export function followLists(client: Client, notify: (what: List) => void): void {
  client.setNotificationHandler('notifications/tools/list_changed', () => notify('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => notify('prompts'));
  client.setNotificationHandler('notifications/resources/list_changed', () => notify('resources'));
  if (client.getProtocolEra() === 'modern') void subscribe(client, notify, FIRST_PAUSE_MS);
}

/** Runs for as long as the connection lives. Changes that were missed while the stream was down are reported afterwards. */
async function subscribe(client: Client, notify: (what: List) => void, pauseMs: number): Promise<void> {
  const offered = client.getServerCapabilities();
  const lists = (['tools', 'prompts', 'resources'] as const).filter((list) => offered?.[list]?.listChanged);
  if (lists.length === 0) return;
  const filter = {
    toolsListChanged: lists.includes('tools'),
    promptsListChanged: lists.includes('prompts'),
    resourcesListChanged: lists.includes('resources'),
  };
  const ended = await client.listen(filter).then(
    (subscription) => subscription.closed,
    () => 'refused' as const,
  );
  if (ended === 'local' || client.transport === undefined) return;
  await new Promise((resolve) => {
    setTimeout(resolve, pauseMs).unref();
  });
  if (client.transport === undefined) return;
  if (ended !== 'refused') lists.forEach(notify);
  await subscribe(client, notify, Math.min(2 * pauseMs, LONGEST_PAUSE_MS));
}

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;

type Capabilities = Record<string, unknown> | undefined;

/** The capability that a server declares for each method; a dot leads to a member of one. */
const NEEDED: Record<string, string> = {
  'tools/list': 'tools',
  'tools/call': 'tools',
  'prompts/list': 'prompts',
  'prompts/get': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'resources/read': 'resources',
  'resources/subscribe': 'resources.subscribe',
  'resources/unsubscribe': 'resources.subscribe',
  'completion/complete': 'completions',
  'logging/setLevel': 'logging',
};

/** The first revision in which servers declare completions. Earlier ones have them without a declaration. */
const COMPLETIONS_DECLARED = '2025-03-26';

/**
 * Returns the capability that the server would have to declare for this method and did not; null where the method may be
 * sent. MCP allows only negotiated capabilities, and some servers hang or end at a method that they do not know.
 */
export function undeclaredFor(
  method: string,
  capabilities: Capabilities,
  protocolVersion: string,
): string | null {
  const needed = NEEDED[method];
  if (needed === undefined) return null;
  if (needed === 'completions' && protocolVersion < COMPLETIONS_DECLARED) return null;
  const [name = '', member] = needed.split('.');
  const declared = capabilities?.[name];
  if (typeof declared !== 'object' || declared === null) return needed;
  return member === undefined || (declared as Record<string, unknown>)[member] === true ? null : needed;
}

/** The SDK's client behind our own interface: raw results, our clocks, our errors, secrets masked. */
export class ClientConnection implements McpConnection {
  readonly closed: Promise<{ reason: string }>;
  readonly verdict: EraVerdict;
  onListChanged?: (what: 'tools' | 'prompts' | 'resources') => void;
  onResourceUpdated?: (uri: string) => void;
  onLogged?: (notice: () => LogNotice) => void;
  onSessionLost?: () => void;
  private readonly mask: AnswerMask;
  private readonly requests: ConnectionRequests;
  private readonly open = new OpenRequests();

  private constructor(
    private readonly client: ExactClient,
    transport: Transport,
    private readonly setup: ConnectionSetup,
    verdict: EraVerdict,
  ) {
    this.mask = setup.mask;
    // It is stored, and contains what the server says about itself.
    this.verdict = this.mask.value(withNumbers(verdict));
    this.closed = new Promise((resolve) => {
      const settle = (): void => void setup.endReason().then((reason) => resolve({ reason }));
      client.onclose = settle;
      if (client.transport === undefined) settle();
    });
    followLists(client, (what) => this.onListChanged?.(what));
    const streams = new ResourceStreams(client, (uri) => this.onResourceUpdated?.(uri));
    this.requests = new ConnectionRequests(client, transport, setup.short, this.mask, streams, this.open);
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      this.onResourceUpdated?.(params.uri),
    );
    client.setNotificationHandler('notifications/message', ({ params }) => {
      setup.note(logLineOf(params));
      this.onLogged?.(() => this.mask.value(withNumbers(params)));
    });
    client.setRequestHandler('elicitation/create', ({ params }, context) =>
      this.answer(client.exactParams(context) ?? params),
    );
  }

  /** Greets the server behind `transport`; the transport is the caller's to close where this throws. */
  static async greet(transport: Transport, setup: ConnectionSetup): Promise<ClientConnection> {
    const client = new ExactClient({ name: 'agent-work-platform', version: VERSION }, CLIENT_OPTIONS);
    client.onerror = () => undefined; // Not fatal; what is, ends the connection or a call.
    const prior = asPrior(setup.prior);
    const options = { timeout: setup.startTimeoutMs, signal: setup.signal };
    await client.connect(transport, { ...options, prior });
    // A modern verdict saves the wait of the probe, not the proof that the process came up.
    if (prior?.kind === 'modern' && setup.pid !== null) await client.discover(options);
    return new ClientConnection(client, transport, setup, verdictOf(client, setup.prior));
  }

  get protocolVersion(): string {
    return this.client.getNegotiatedProtocolVersion() ?? '';
  }

  get era(): 'modern' | 'legacy' {
    return this.client.getProtocolEra() ?? 'legacy';
  }

  get serverInfo(): { name: string; version: string } | null {
    const info = this.client.getServerVersion();
    return info ? this.mask.value({ name: info.name, version: info.version }) : null;
  }

  get capabilities(): Record<string, unknown> {
    return withNumbers({ ...this.client.getServerCapabilities() });
  }

  get instructions(): string | null {
    const instructions = this.client.getInstructions();
    return instructions === undefined ? null : this.mask.text(instructions);
  }

  get hasSession(): boolean {
    return this.setup.hasSession?.() ?? false;
  }

  get stray(): StrayOutput | null {
    const { count = 0, first = '' } = this.setup.stray?.() ?? {};
    return count === 0 ? null : { count, first: this.mask.text(first) };
  }

  get pid(): number | null {
    return this.setup.pid;
  }

  async request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions = {},
  ): Promise<Record<string, unknown>> {
    this.refuseUndeclared(method);
    const { refusals } = this.setup;
    const before = refusals?.count ?? 0;
    const result = await this.requests.send(method, params, options);
    return refusals ? withRefusals(result, refusals.since(before)) : result;
  }

  async listTools(signal?: AbortSignal): Promise<unknown[]> {
    this.setup.phase?.('list');
    if (this.undeclared('tools/list')) return [];
    try {
      return await listAllTools(
        (params) => this.request('tools/list', params, { signal }),
        this.setup.limits.toolsMaxBytes,
      );
    } catch (error) {
      const failure = asCallFailure(error, this.mask);
      throw new McpStartFailure('list', failure.message, this.stderrTail(), isRefusal(failure), failure);
    }
  }

  /** @throws {McpError} for a method of a capability that the server did not declare */
  private refuseUndeclared(method: string): void {
    const capability = this.undeclared(method);
    if (capability !== null)
      throw new McpError(
        ProtocolErrorCode.MethodNotFound,
        `The server does not offer ${method}: it did not declare the capability ${capability}.`,
      );
  }

  private undeclared(method: string): string | null {
    return undeclaredFor(method, this.client.getServerCapabilities(), this.protocolVersion);
  }

  /** @throws {ProtocolError} with the reason, where the question is not passed on */
  private async answer(params: ServerQuestion): Promise<ElicitResult> {
    try {
      return withMarks(await this.open.answer(this.mask.value(params))) as ElicitResult;
    } catch (error) {
      const reason = error instanceof QuestionRefused ? error.message : 'The question could not be asked.';
      this.setup.note(`A question of the server was refused: ${reason}`);
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, reason);
    }
  }

  stderrTail(): string {
    return this.setup.stderrTail();
  }

  processes(table: readonly ProcessRow[]): ProcessRow[] {
    return this.setup.processes(table);
  }

  storedBytes(most: number): Promise<number> {
    return this.setup.storedBytes(most);
  }

  close(ladder?: StopLadder): Promise<void> {
    return this.setup.end(ladder);
  }
}
