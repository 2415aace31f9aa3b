import {
  ProtocolError,
  ProtocolErrorCode,
  type ElicitResult,
  type Transport,
} from '@modelcontextprotocol/client';
import { withMarks, withNumbers } from '../../../platform/json/exact-json.js';
import type { AnswerMask } from './answer-mask.js';
import { asCallFailure } from './call-failure.js';
import type { StopLadder } from '../supervision/end-process.js';
import { asPrior, verdictOf } from './era-verdict.js';
import { ExactClient } from './exact-messages.js';
import { followLists } from './list-changes.js';
import type { McpConnection, RequestOptions, ServerQuestion } from './mcp-connection.js';
import { isRefusal, McpError, McpStartFailure } from './mcp-errors.js';
import { undeclaredFor } from './negotiated-methods.js';
import type { ProcessRow } from '../supervision/process-table.js';
import type { EraVerdict } from '../server-description.js';
import { withRefusals } from './refused-hosts.js';
import { ResourceStreams } from './resource-streams.js';
import { VERSION } from '../../../platform/config/version.js';
import { ConnectionRequests } from './connection-requests.js';
import type { ConnectionSetup } from './connection-setup.js';
import { CLIENT_OPTIONS } from './client-options.js';
import { OpenRequests, QuestionRefused } from './open-requests.js';
import { listAllTools } from './tool-list.js';

/** The SDK's client behind our own interface: raw results, our clocks, our errors, secrets masked. */
export class ClientConnection implements McpConnection {
  readonly closed: Promise<{ reason: string }>;
  readonly verdict: EraVerdict;
  onListChanged?: (what: 'tools' | 'prompts' | 'resources') => void;
  onResourceUpdated?: (uri: string) => void;
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
