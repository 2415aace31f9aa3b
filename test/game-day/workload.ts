import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Held } from '../api/gateway/heartbeat-requests.js';
import { leasesOf, type Heartbeat } from '../api/gateway/heartbeat-requests.js';
import { modern } from '../api/gateway/wire-call.js';
import { attachmentsOf, file, form } from '../api/work/attachments.forms.js';
import type { Answer, RequestOptions } from '../support/answer.js';
import type { Issue, Project } from '../support/builders.js';
import type { Caller } from '../support/caller.js';
import { until } from '../support/until.js';
import { hashOf, Ledger } from './ledger.js';

/** One attempt of a client. */
export interface Sent {
  by: string;
  /** Moments of `performance.now()`. */
  begunAt: number;
  endedAt: number;
  /** The status, or what became of it: `no connection`, `no answer in 30 s`, `tool error`. */
  outcome: string;
  isSuccess: boolean;
}

/** Clients leave the processors time for the service. */
const PAUSE_MS = 120;
/** A client that waits longer for an answer gives up: the service promises one within 5 s. */
const PATIENCE_MS = 30_000;
/** Every so many acknowledged writes are sent once more. */
const REPEATS = 7;

type Keyed = (key: string, mark: string) => Promise<Answer<{ id: string }>>;

/**
 * People and agents at work. A write is sent again with its idempotency key until it is acknowledged, as clients do; only
 * then the ledger has it.
 */
export class Workload {
  readonly ledger = new Ledger();
  readonly sent: Sent[] = [];
  private readonly clients = new Set<string>();
  private readonly loops: Promise<void>[] = [];
  /** Writes whose first attempt was cut off: their keys are in use for up to a minute. */
  private readonly later: Promise<void>[] = [];
  private isEnding = false;
  private writes = 0;

  constructor(
    private readonly editor: Caller,
    private readonly agent: Caller,
    private readonly project: Project,
    private readonly issue: Issue,
    private readonly tool: string,
  ) {}

  begin(): void {
    const { editor, project, issue, ledger } = this;
    const post =
      (path: string, body: object): Keyed =>
      (key) =>
        editor.post(path, body, this.options(key));
    const issues = `/api/projects/${project.id}/issues`;
    for (const writer of ['issues', 'issues too'])
      this.add(writer, () =>
        this.write(writer, ledger.issues, (key, mark) =>
          post(issues, { title: mark, assignedAgentId: this.agent.id })(key, mark),
        ),
      );
    this.add('comments', () =>
      this.write('comments', ledger.comments, (key, mark) =>
        post(`/api/projects/issues/${issue.id}/comments`, { content: mark })(key, mark),
      ),
    );
    this.add('uploads', () => this.upload());
    this.add('lists', () => this.attempt('lists', () => editor.get(`${issues}?limit=20`, this.options())));
    for (const worker of ['one', 'two']) this.add(`worker ${worker}`, () => this.work(`worker ${worker}`));
    this.add('tool calls', () => this.call());
  }

  /** Stops the clients, and waits for every write that has begun. */
  async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.loops);
    await Promise.all(this.later);
  }

  /** Waits until each client has had a success that it began after this moment. */
  async goesOnSince(moment: number, seconds: number, without: string[] = []): Promise<void> {
    await until(() => this.stuckSince(moment, without).length === 0, seconds).catch(() => undefined);
  }

  /** The clients without a success since this moment, each with its last outcome. */
  stuckSince(moment: number, without: string[] = []): string[] {
    const wanted = [...this.clients].filter((client) => !without.includes(client));
    const isStuck = (client: string) =>
      !this.sent.some(({ by, begunAt, isSuccess }) => by === client && begunAt >= moment && isSuccess);
    return wanted
      .filter(isStuck)
      .map(
        (client) =>
          `${client} (last: ${this.sent.findLast(({ by }) => by === client)?.outcome ?? 'nothing'})`,
      );
  }

  private add(name: string, step: () => Promise<unknown>): void {
    this.clients.add(name);
    const loop = async () => {
      for (; !this.isEnding; await sleep(PAUSE_MS)) await step();
    };
    this.loops.push(loop());
  }

  private options(key?: string, more: Record<string, string> = {}): RequestOptions {
    return {
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { ...(key && { 'idempotency-key': key }), ...more },
    };
  }

  /** Sends one request and notes how it ended. Returns null where there was no answer. */
  private async attempt<Body>(by: string, send: () => Promise<Answer<Body>>): Promise<Answer<Body> | null> {
    const begunAt = performance.now();
    const note = (outcome: string, isSuccess = false) =>
      void this.sent.push({ by, begunAt, endedAt: performance.now(), outcome, isSuccess });
    try {
      const answer = await send();
      note(String(answer.status), answer.status < 300);
      return answer;
    } catch (error) {
      const isLate = error instanceof Error && /Timeout|Abort/.test(error.name);
      note(isLate ? `no answer in ${PATIENCE_MS / 1000} s` : 'no connection');
      return null;
    }
  }

  private async write(by: string, acknowledged: Map<string, string>, send: Keyed): Promise<void> {
    const [key, mark] = [randomUUID(), `game day ${randomUUID()}`];
    while (!this.isEnding) {
      const answer = await this.attempt(by, () => send(key, mark));
      if (answer?.status === 409)
        return void this.later.push(this.whenFree(by, acknowledged, key, mark, send));
      if (answer?.status === 201) return this.acknowledge(by, acknowledged, key, mark, send, answer.body.id);
      await sleep(2 * PAUSE_MS);
    }
  }

  /** Goes on with a key that is in use, beside the other writes of the client. */
  private async whenFree(
    ...[by, acknowledged, key, mark, send]: [string, Map<string, string>, string, string, Keyed]
  ): Promise<void> {
    for (let tries = 0; tries < 120; tries += 1) {
      await sleep(1_000);
      const answer = await this.attempt(`${by}, cut off before`, () => send(key, mark));
      if (answer?.status === 201) return void acknowledged.set(mark, answer.body.id);
    }
  }

  private async acknowledge(
    ...[by, acknowledged, key, mark, send, id]: [string, Map<string, string>, string, string, Keyed, string]
  ): Promise<void> {
    acknowledged.set(mark, id);
    if ((this.writes += 1) % REPEATS !== 0) return;
    const again = await this.attempt(by, () => send(key, mark));
    if (again === null || again.status === 503) return;
    const isSame = again.status === 201 && again.body.id === id;
    this.ledger.repeated.push({ mark, differs: isSame ? null : `${id}, then ${again.status} ${again.text}` });
  }

  private async upload(): Promise<void> {
    const bytes = randomBytes(2_000).toString('base64');
    const { rawBody, headers } = form(file(bytes));
    const path = attachmentsOf(this.issue);
    const answer = await this.attempt('uploads', () =>
      this.editor.request<{ id: string }>('POST', path, { ...this.options(undefined, headers), rawBody }),
    );
    if (answer?.status === 201) this.ledger.attachments.set(answer.body.id, hashOf(bytes));
    await sleep(PAUSE_MS);
  }

  private async work(by: string): Promise<void> {
    const beat = { capacity: 3, worker: by.replace(' ', '-') };
    const answer = await this.attempt(by, () =>
      this.agent.post<Heartbeat>('/api/agents/me/heartbeat', beat, this.options()),
    );
    if (answer?.status !== 200) return;
    for (const held of leasesOf(answer.body)) await this.finish(by, held);
  }

  /** A retry after a lost answer finds the issue resolved already. */
  private async finish(by: string, { issueId, token }: Held): Promise<void> {
    const options = () => this.options(undefined, { 'lease-token': String(token) });
    const path = `/api/projects/issues/${issueId}`;
    for (let isOpen = true; isOpen && !this.isEnding;) {
      const answer = await this.attempt(by, () => this.agent.put(path, { status: 'Resolved' }, options()));
      if (answer?.status === 200) this.ledger.finished.add(issueId);
      isOpen = answer === null || answer.status >= 500;
      if (isOpen) await sleep(2 * PAUSE_MS);
    }
  }

  private async call(): Promise<void> {
    const begunAt = performance.now();
    const call = { name: this.tool, arguments: {} };
    const { outcome, isSuccess } = await modern(this.agent, 'tools/call', call).then(
      ({ status, message, text }) => {
        const isFine = status === 200 && message['result'] && !message['result'].isError;
        return { outcome: isFine ? '200' : `${status} ${text.slice(0, 200)}`, isSuccess: Boolean(isFine) };
      },
      () => ({ outcome: 'no connection', isSuccess: false }),
    );
    this.sent.push({ by: 'tool calls', begunAt, endedAt: performance.now(), outcome, isSuccess });
  }
}
