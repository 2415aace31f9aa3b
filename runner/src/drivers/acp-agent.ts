import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import * as acp from '@agentclientprotocol/sdk';
import type { Child } from '../processes/child.js';

const MAX_MESSAGE = 16 * 2 ** 20;
const START_MS = 120_000;
const SILENCE_MS = 3000;
const AUTH_REQUIRED = -32000;
const { session } = acp.methods.agent;

/** How the agent reaches its tools: the MCP endpoint, with the key of the lease. */
export interface Connect {
  url: string;
  headers: Record<string, string>;
}

/** The agent's process ended, or did not do what the protocol asks for. */
export class AgentFailed extends Error {}

export interface AcpEvents {
  onUpdate: (update: acp.SessionUpdate) => void;
  onPermission: (request: acp.RequestPermissionRequest) => Promise<acp.RequestPermissionResponse>;
}

/** An agent that speaks the Agent Client Protocol on its standard input and output. */
export class AcpAgent {
  private readonly connection: acp.ClientConnection;
  private readonly died: Promise<never>;
  private info: acp.InitializeResponse | null = null;
  /** Empty while a session is loaded: the agent then repeats its history, which is no work of this turn. */
  private sessionId = '';

  constructor(
    private readonly child: Child,
    events: AcpEvents,
  ) {
    const app = acp
      .client({ name: 'awp-runner' })
      .onNotification(acp.methods.client.session.update, ({ params }) => {
        if (params.sessionId === this.sessionId) events.onUpdate(params.update);
      })
      .onRequest(acp.methods.client.session.requestPermission, ({ params }) => events.onPermission(params));
    const input = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
    const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
    this.connection = app.connect(acp.ndJsonStream(input, output, { maxMessageBytes: MAX_MESSAGE }));
    // The output can close, or break the protocol, while the process goes on.
    const silence = () => sleep(SILENCE_MS, 'closed its output, or broke the protocol', { ref: false });
    const closed = this.connection.closed.then(silence, silence);
    this.died = Promise.race([child.ended, closed]).then((how) => {
      throw new AgentFailed(`The agent ${how}.\n\n${child.lastWords}`.trim());
    });
    // Every request races with it; between two requests no one listens.
    this.died.catch(() => undefined);
  }

  async initialize(): Promise<acp.InitializeResponse> {
    this.info = await this.ask<acp.InitializeResponse>(acp.methods.agent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientCapabilities: {},
      clientInfo: { name: 'awp-runner', version: '0.1.0' },
    });
    const { protocolVersion: version, agentCapabilities } = this.info;
    if (version !== acp.PROTOCOL_VERSION)
      throw new AgentFailed(`The agent speaks version ${version} of ACP, and the runner version 1.`);
    if (agentCapabilities?.mcpCapabilities?.http !== true)
      throw new AgentFailed('The agent takes no MCP servers over HTTP, so it cannot reach its tools.');
    return this.info;
  }

  /** Resumes a session where the agent can, or begins one. Returns its id, and whether it is the old one. */
  async open(cwd: string, connect: Connect, before: string | null) {
    const headers = Object.entries(connect.headers).map(([name, value]) => ({ name, value }));
    const mcpServers = [{ type: 'http' as const, name: 'work', url: connect.url, headers }];
    if (before !== null && (await this.reopen({ sessionId: before, cwd, mcpServers })))
      return { sessionId: before, resumed: true };
    this.sessionId = (await this.ask<acp.NewSessionResponse>(session.new, { cwd, mcpServers })).sessionId;
    return { sessionId: this.sessionId, resumed: false };
  }

  async setMode(modeId: string): Promise<void> {
    await this.ask(session.setMode, { sessionId: this.sessionId, modeId });
  }

  /** One turn. @throws {AgentFailed} when the process ends before the turn */
  prompt(text: string): Promise<acp.PromptResponse> {
    return this.ask(session.prompt, { sessionId: this.sessionId, prompt: [{ type: 'text', text }] }, null);
  }

  cancel(): void {
    // An agent that is gone has nothing to cancel.
    this.connection.agent.notify(session.cancel, { sessionId: this.sessionId }).catch(() => undefined);
  }

  private async reopen(params: acp.LoadSessionRequest): Promise<boolean> {
    const { sessionCapabilities, loadSession } = this.info?.agentCapabilities ?? {};
    if (!sessionCapabilities?.resume && !loadSession) return false;
    try {
      await this.ask(sessionCapabilities?.resume ? session.resume : session.load, params);
      this.sessionId = params.sessionId;
      return true;
    } catch (error) {
      if (this.child.code !== null) throw error;
      // The agent has forgotten the session: the brief starts a new one.
      return false;
    }
  }

  private async ask<Result>(
    method: string,
    params: object,
    limit: number | null = START_MS,
  ): Promise<Result> {
    const asked = this.connection.agent.request<Result>(method, params);
    const answered = asked.catch((error: Error) => this.explain(method, error));
    if (limit === null) return Promise.race([answered, this.died]);
    const over = new AbortController();
    const late = sleep(limit, null, { signal: over.signal }).then(() => {
      throw new AgentFailed(`The agent did not answer ${method} within ${limit / 1000} s.`);
    });
    try {
      return await Promise.race([answered, this.died, late]);
    } finally {
      // The time limit is over with the request.
      late.catch(() => undefined);
      over.abort();
    }
  }

  /** A request fails first when the process ends, and only then the end of the process is known. */
  private async explain(method: string, error: Error): Promise<never> {
    if (this.connection.signal.aborted) return this.died;
    if (!(error instanceof acp.RequestError)) throw new AgentFailed(`${method} failed: ${error.message}`);
    const detail = error.data === undefined ? '' : ` ${JSON.stringify(error.data)}`;
    const isSignedOut = error.code === AUTH_REQUIRED;
    const advice = isSignedOut ? ' Sign the agent in once, or put the name of its key into env.' : '';
    throw new AgentFailed(`The agent refused ${method}: ${error.message}${detail}.${advice}`);
  }
}
