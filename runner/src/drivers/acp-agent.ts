import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import * as acp from '@agentclientprotocol/sdk';
import type { Child } from '../processes/child.js';
import type { Connect } from '../run/run.js';

const MAX_MESSAGE = 16 * 2 ** 20;
const START_MS = 120_000;
const SILENCE_MS = 3000;
const AUTH_REQUIRED = -32000;
const { initialize, session } = acp.methods.agent;

export interface AcpEvents {
  onUpdate: (update: acp.SessionUpdate) => void;
  onPermission: (request: acp.RequestPermissionRequest) => Promise<acp.RequestPermissionResponse>;
}

/** An agent that speaks the Agent Client Protocol on its standard input and output. */
export class AcpAgent {
  private readonly connection: acp.ClientConnection;
  private can: acp.AgentCapabilities = {};
  /** Empty while a session is loaded: the agent then repeats its history, which is no work of this turn. */
  private sessionId = '';

  constructor(
    private readonly child: Child,
    { onUpdate, onPermission }: AcpEvents,
  ) {
    const app = acp
      .client({ name: 'awp-runner' })
      .onNotification(acp.methods.client.session.update, ({ params }) => {
        if (params.sessionId === this.sessionId) onUpdate(params.update);
      })
      .onRequest(acp.methods.client.session.requestPermission, ({ params }) => onPermission(params));
    const input = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
    const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
    this.connection = app.connect(acp.ndJsonStream(input, output, { maxMessageBytes: MAX_MESSAGE }));
    // A descendant can keep the output open after the end of the process.
    void child.ended.then(() => this.connection.close());
  }

  async initialize(): Promise<acp.InitializeResponse> {
    const clientInfo = { name: 'awp-runner', version: '0.1.0' };
    const params = { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {}, clientInfo };
    const info = await this.ask(initialize, params);
    this.can = info.agentCapabilities ?? {};
    if (info.protocolVersion !== acp.PROTOCOL_VERSION)
      throw new Error(`The agent speaks version ${info.protocolVersion} of ACP, and the runner version 1.`);
    if (this.can.mcpCapabilities?.http !== true)
      throw new Error('The agent takes no MCP servers over HTTP, so it cannot reach its tools.');
    return info;
  }

  /** Resumes a session where the agent can, or begins one. Returns its id, and whether it is the old one. */
  async open(cwd: string, connect: Connect, before: string | null, modeId?: string) {
    const headers = Object.entries(connect.headers).map(([name, value]) => ({ name, value }));
    const mcpServers = [{ type: 'http' as const, name: 'work', url: connect.url, headers }];
    const canResume = Boolean(this.can.sessionCapabilities?.resume);
    const reopen = canResume ? session.resume : session.load;
    const resumed =
      before !== null &&
      (canResume || this.can.loadSession === true) &&
      // An agent that has forgotten the session gets a new one with the brief.
      (await this.ask(reopen, { sessionId: before, cwd, mcpServers }).catch(() => null)) !== null;
    this.sessionId = resumed ? before : (await this.ask(session.new, { cwd, mcpServers })).sessionId;
    if (modeId) await this.ask(session.setMode, { sessionId: this.sessionId, modeId });
    return { sessionId: this.sessionId, resumed };
  }

  /** One turn. @throws {Error} when the process ends before the turn */
  prompt(text: string): Promise<acp.PromptResponse> {
    return this.ask(session.prompt, { sessionId: this.sessionId, prompt: [{ type: 'text', text }] }, null);
  }

  cancel(): void {
    // An agent that is gone has nothing to cancel.
    this.connection.agent.notify(session.cancel, { sessionId: this.sessionId }).catch(() => undefined);
  }

  private async ask<Method extends acp.AgentRequestMethod>(
    method: Method,
    params: acp.AgentRequestParamsByMethod[Method],
    limit: number | null = START_MS,
  ): Promise<acp.AgentRequestResponsesByMethod[Method]> {
    const late = limit === null ? undefined : AbortSignal.timeout(limit);
    const options = late && { cancellationSignal: late, stopWaitingOnCancel: true };
    try {
      return await this.connection.agent.request(method, params, options);
    } catch (error) {
      throw this.connection.signal.aborted ? await this.gone() : refusalOf(method, error as Error);
    }
  }

  /** The output can close, or break the protocol, while the process goes on. */
  private async gone(): Promise<Error> {
    const silence = sleep(SILENCE_MS, 'closed its output, or broke the protocol', { ref: false });
    const how = await Promise.race([this.child.ended, silence]);
    return new Error(`The agent ${how}.\n\n${this.child.lastWords}`.trim());
  }
}

function refusalOf(method: string, error: Error): Error {
  const { code, data } = error as Partial<acp.RequestError>;
  const detail = data === undefined ? '' : ` ${JSON.stringify(data)}`;
  const advice =
    code === AUTH_REQUIRED ? ' Sign the agent in once, or put the name of its key into env.' : '';
  return new Error(`The agent failed at ${method}: ${error.message}${detail}.${advice}`);
}
