import { Readable, Writable } from 'node:stream';
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type ClientConnection,
  type InitializeResponse,
  type LoadSessionRequest,
  type NewSessionResponse,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { Child } from '../processes/child.js';

const MAX_MESSAGE = 16 * 2 ** 20;
const START_MS = 120_000;
const AUTH_REQUIRED = -32000;

/** How the agent reaches its tools: the MCP endpoint, with the key of the lease. */
export interface Connect {
  url: string;
  headers: Record<string, string>;
}

/** The agent's process ended, or did not do what the protocol asks for. */
export class AgentFailed extends Error {}

export interface AcpEvents {
  onUpdate: (update: SessionUpdate) => void;
  onPermission: (request: RequestPermissionRequest) => Promise<RequestPermissionResponse>;
}

/** An agent that speaks the Agent Client Protocol on its standard input and output. */
export class AcpAgent {
  private readonly connection: ClientConnection;
  private readonly died: Promise<never>;
  private info: InitializeResponse | null = null;
  private sessionId = '';
  /** While a session is loaded, the agent repeats its history, which is no work of this turn. */
  private replaying = false;

  constructor(
    private readonly child: Child,
    events: AcpEvents,
  ) {
    const app = client({ name: 'awp-runner' })
      .onNotification(methods.client.session.update, ({ params }) => {
        if (!this.replaying && params.sessionId === this.sessionId) events.onUpdate(params.update);
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => events.onPermission(params));
    const input = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
    const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
    this.connection = app.connect(ndJsonStream(input, output, { maxMessageBytes: MAX_MESSAGE }));
    this.died = Promise.race([child.ended, this.connection.closed.then(() => this.silence())]).then((how) => {
      throw new AgentFailed(`The agent ${how}.\n\n${child.lastWords}`.trim());
    });
    // Every request races with it; between two requests no one listens.
    this.died.catch(() => undefined);
    // The process may close its output before it ends.
    this.connection.closed.catch(() => undefined);
  }

  async initialize(): Promise<InitializeResponse> {
    const asked = this.connection.agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
      clientInfo: { name: 'awp-runner', version: '0.1.0' },
    });
    this.info = await this.within(asked, START_MS, 'initialize');
    if (this.info.protocolVersion !== PROTOCOL_VERSION)
      throw new AgentFailed(
        `The agent speaks version ${this.info.protocolVersion} of ACP, and the runner version 1.`,
      );
    return this.info;
  }

  /** Resumes a session where the agent can, or begins one. Returns its id, and whether it is the old one. */
  async open(
    cwd: string,
    connect: Connect,
    before: string | null,
  ): Promise<{ sessionId: string; resumed: boolean }> {
    const headers = Object.entries(connect.headers).map(([name, value]) => ({ name, value }));
    const mcpServers = [{ type: 'http' as const, name: 'work', url: connect.url, headers }];
    if (this.info?.agentCapabilities?.mcpCapabilities?.http !== true)
      throw new AgentFailed('The agent takes no MCP servers over HTTP, so it cannot reach its tools.');
    if (before !== null && (await this.reopen({ sessionId: before, cwd, mcpServers })))
      return { sessionId: before, resumed: true };
    const asked = this.connection.agent.request<NewSessionResponse>(methods.agent.session.new, {
      cwd,
      mcpServers,
    });
    const { sessionId } = await this.within(asked, START_MS, 'session/new');
    this.sessionId = sessionId;
    return { sessionId, resumed: false };
  }

  async setMode(modeId: string): Promise<void> {
    const asked = this.connection.agent.request(methods.agent.session.setMode, {
      sessionId: this.sessionId,
      modeId,
    });
    await this.within(asked, START_MS, `session/set_mode ${modeId}`);
  }

  /** One turn. @throws {AgentFailed} when the process ends before the turn */
  prompt(text: string): Promise<PromptResponse> {
    const prompt = [{ type: 'text' as const, text }];
    const asked = this.connection.agent.request<PromptResponse>(methods.agent.session.prompt, {
      sessionId: this.sessionId,
      prompt,
    });
    return Promise.race([asked.catch((error) => this.explain('session/prompt', error)), this.died]);
  }

  cancel(): void {
    // An agent that is gone has nothing to cancel.
    this.connection.agent
      .notify(methods.agent.session.cancel, { sessionId: this.sessionId })
      .catch(() => undefined);
  }

  private async reopen(params: LoadSessionRequest): Promise<boolean> {
    const { sessionCapabilities, loadSession } = this.info?.agentCapabilities ?? {};
    try {
      if (sessionCapabilities?.resume) {
        const asked = this.connection.agent.request(methods.agent.session.resume, params);
        await this.within(asked, START_MS, 'session/resume');
      } else if (loadSession) await this.load(params);
      else return false;
    } catch (error) {
      if (error instanceof AgentFailed && this.child.code !== null) throw error;
      // The agent has forgotten the session: the brief starts a new one.
      return false;
    }
    this.sessionId = params.sessionId;
    return true;
  }

  private async load(params: LoadSessionRequest): Promise<void> {
    this.replaying = true;
    try {
      await this.within(
        this.connection.agent.request(methods.agent.session.load, params),
        START_MS,
        'session/load',
      );
    } finally {
      this.replaying = false;
    }
  }

  private async within<T>(asked: Promise<T>, milliseconds: number, what: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const failure = new AgentFailed(`The agent did not answer ${what} within ${milliseconds / 1000} s.`);
      timer = setTimeout(() => reject(failure), milliseconds);
    });
    try {
      return await Promise.race([asked.catch((error) => this.explain(what, error)), this.died, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The output can close, or break the protocol, while the process goes on. */
  private async silence(): Promise<string> {
    const ended = new Promise<string>((resolve) =>
      setTimeout(resolve, 1000, 'closed its output, or broke the protocol'),
    );
    return Promise.race([this.child.ended, ended]);
  }

  /** A request fails first when the process ends, and only then the end of the process is known. */
  private async explain(what: string, error: unknown): Promise<never> {
    if (this.connection.signal.aborted) return this.died;
    if (!(error instanceof RequestError))
      throw new AgentFailed(`${what} failed: ${(error as Error).message}`);
    const detail = error.data === undefined ? '' : ` ${JSON.stringify(error.data)}`;
    const advice =
      error.code === AUTH_REQUIRED ? ' Sign the agent in once, or put the name of its key into env.' : '';
    throw new AgentFailed(`The agent refused ${what}: ${error.message}${detail}.${advice}`);
  }
}
