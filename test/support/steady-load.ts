import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type AgentClient, type ClientKind } from '../api/gateway/mcp-clients.js';
import { anIssue, type Project } from './builders.js';
import type { Answer } from './answer.js';
import type { Caller } from './caller.js';
import { until } from './until.js';

/** A request of the load, and how it ended. */
export interface Sent {
  by: string;
  /** Moments of `performance.now()`. */
  begunAt: number;
  endedAt: number;
  /** Empty for a success; else the status, the text of a tool error, or the error of the client. */
  failure: string;
  /** The mark of a tool call. */
  mark: string;
}

/** Returns how many milliseconds a request took. */
export const lengthOf = ({ begunAt, endedAt }: Sent): number => endedAt - begunAt;

/** The clients leave the processors time for the processes that start meanwhile. */
const PAUSE_MS = 40;

/** Clients that send one request after the other and repeat none, so that each failure of the service is seen. */
export class SteadyLoad {
  readonly sent: Sent[] = [];
  private isEnding = false;
  private readonly loops: Promise<void>[] = [];
  private count = 0;

  /** The clients, by name. */
  readonly clients: string[] = [];

  get failures(): Sent[] {
    return this.sent.filter(({ failure }) => failure !== '');
  }

  /** Reads and writes over HTTP. */
  addRest(editor: Caller, agent: Caller, project: Project): void {
    const issues = `/api/projects/${project.id}/issues`;
    const beat = () => agent.post('/api/agents/me/heartbeat', { capacity: 0 });
    this.add('list', () => statusOf(editor.get(`${issues}?limit=20`)));
    this.add('create', () => statusOf(editor.post(issues, { title: 'made under load' })));
    this.add('heartbeat', () => statusOf(beat()));
    let title = 0;
    const changed = anIssue(editor, project);
    this.add('change', async () => {
      const { id } = await changed;
      return statusOf(editor.put(`/api/projects/issues/${id}`, { title: `changed ${(title += 1)}` }));
    });
  }

  /** An MCP client with an open session, or of the era without, that calls this tool. */
  async addMcp(agent: Caller, kind: ClientKind, tool: string, ms: number): Promise<void> {
    const client = await connect(agent, kind);
    this.add(`${kind} of ${agent.name}: ${tool}`, (mark) => calling(client, tool, mark, ms));
  }

  /** Waits for the last responses. */
  async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.loops);
  }

  /** Waits until each client has had a success that it began after this moment. @throws {Error} that names the others */
  async goesOnSince(moment: number): Promise<void> {
    const isDone = () => this.firstSince(moment).every((one) => one !== null);
    await until(isDone).catch(() => {
      const first = this.firstSince(moment);
      const stuck = this.clients.filter((_, at) => first[at] === null);
      const last = stuck.map((client) => JSON.stringify(this.sent.findLast(({ by }) => by === client)));
      throw new Error(
        `These had no success any more at ${performance.now()}; the last request of each:\n${last.join('\n')}`,
      );
    });
  }

  /** The first success of each client among the requests that it began after this moment. */
  firstSince(moment: number): (Sent | null)[] {
    return this.clients.map(
      (client) =>
        this.sent.find(({ by, begunAt, failure }) => by === client && begunAt >= moment && failure === '') ??
        null,
    );
  }

  /** The requests that were begun after this moment, the slowest first. */
  slowestSince(moment: number): Sent[] {
    return this.sent
      .filter(({ begunAt }) => begunAt >= moment)
      .sort((one, other) => lengthOf(other) - lengthOf(one));
  }

  /** The longest time after this moment in which one client had no success, and which client that was. */
  longestGapSince(moment: number): string {
    const gaps = this.clients.map((client) => {
      const ends = this.sent
        .filter(({ by, failure, endedAt }) => by === client && failure === '' && endedAt >= moment)
        .map(({ endedAt }) => endedAt);
      return { client, ms: Math.max(0, ...ends.map((end, at) => end - (ends[at - 1] ?? moment))) };
    });
    const longest = gaps.reduce((most, gap) => (gap.ms > most.ms ? gap : most));
    return `${Math.round(longest.ms)} ms (${longest.client})`;
  }

  private add(by: string, send: (mark: string) => Promise<string>): void {
    this.clients.push(by);
    this.loops.push(this.loop(by, send));
  }

  private async loop(by: string, send: (mark: string) => Promise<string>): Promise<void> {
    for (; !this.isEnding; await sleep(PAUSE_MS)) {
      const mark = `call-${(this.count += 1)}`;
      const begunAt = performance.now();
      const failure = await send(mark).catch(textOf);
      this.sent.push({ by, begunAt, endedAt: performance.now(), failure, mark });
    }
  }
}

async function statusOf(answer: Promise<Answer<unknown>>): Promise<string> {
  const { status, text } = await answer;
  return status < 300 ? '' : `${status} ${text}`;
}

async function calling(client: AgentClient, tool: string, mark: string, ms: number): Promise<string> {
  const { isError, text } = await client.call(tool, { mark, ms });
  return !isError && text === mark ? '' : text;
}

/** `fetch failed` alone would say nothing: its cause has the error of the connection. */
function textOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? ` (${String(error.cause)})` : '';
  return `${String(error)}${cause}`;
}
