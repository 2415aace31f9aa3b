import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiAt, dataOf, Refused, type Api, type Schemas } from 'agent-work-platform-client';
import type { PendingEnd, UsageReport } from '../run/run-state.js';

const REQUEST_MS = 30_000;
const LONGEST_PAUSE_MS = 15_000;

export type WorkItem = Schemas['WorkItemResponse'];
export type Heartbeat = Schemas['HeartbeatResponse'];
export type Turn = Schemas['TurnResponse'];

export interface HeartbeatCall {
  worker: string;
  leases: { issueId: string; token: number }[];
  capacity: number;
}

/** The service as one agent uses it. What changes something is repeated with the same key until it is answered. */
export class Service {
  private readonly api: Api;

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {
    this.api = apiAt(url, key);
  }

  /** Takes part once. The caller repeats it: the response lists all leases of the worker. */
  heartbeat(body: HeartbeatCall, wait: number, signal: AbortSignal): Promise<Heartbeat> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(wait * 1000 + REQUEST_MS)]);
    const params = { path: { agentId: 'me' }, query: { wait } };
    return dataOf(this.api.POST('/api/agents/{agentId}/heartbeat', { params, body, signal: limit }));
  }

  /** Ends a turn: reports usage, and returns what the agent does not know yet. */
  turn(issueId: string, token: number, usage: UsageReport[], signal: AbortSignal): Promise<Turn> {
    const body = { issueId, token, ...(usage.length > 0 ? { usage } : {}) } as Schemas['TurnRequest'];
    return this.repeat(signal, (options) =>
      this.api.POST('/api/agents/{agentId}/turns', { params: { path: { agentId: 'me' } }, body, ...options }),
    );
  }

  /** Ends a lease. The service accepts it once per token, so a repeated one has no second effect. */
  end(issueId: string, { route, body }: PendingEnd, signal: AbortSignal): Promise<Schemas['FinishResponse']> {
    const params = { path: { issueId } };
    return this.repeat(signal, (options) =>
      route === 'finish'
        ? this.api.POST('/api/projects/issues/{issueId}/finish', {
            params,
            body: body as Schemas['FinishRequest'],
            ...options,
          })
        : this.api.POST('/api/projects/issues/{issueId}/release', { params, body, ...options }),
    );
  }

  issue(issueId: string): Promise<Schemas['IssueResponse']> {
    const params = { path: { issueId } };
    return dataOf(
      this.api.GET('/api/projects/issues/{issueId}', { params, signal: AbortSignal.timeout(REQUEST_MS) }),
    );
  }

  me(): Promise<Schemas['AgentResponse']> {
    return dataOf(this.api.GET('/api/agents/{agentId}', { params: { path: { agentId: 'me' } } }));
  }

  /** Returns the tools of the agent, as tools/list does. */
  tools(): Promise<Turn> {
    return dataOf(
      this.api.POST('/api/agents/{agentId}/turns', { params: { path: { agentId: 'me' } }, body: {} }),
    );
  }

  attachments(issueId: string): Promise<Schemas['AttachmentResponse'][]> {
    const params = { path: { issueId } };
    return dataOf(
      this.api.GET('/api/projects/issues/{issueId}/attachments', {
        params,
        signal: AbortSignal.timeout(REQUEST_MS),
      }),
    );
  }

  /** Asks a person. Opening the question ends the lease. */
  ask(
    issueId: string,
    body: { question: string; options: string[] },
    signal: AbortSignal,
  ): Promise<{ id: string }> {
    return this.repeat(signal, async (options) => ({
      ...(await this.raw('POST', `/api/projects/issues/${issueId}/gates`, {
        ...options,
        headers: { ...options.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })),
    }));
  }

  async download(path: string): Promise<ReadableStream<Uint8Array> | null> {
    const response = await fetch(`${this.url}${path}`, {
      headers: this.headers,
      signal: AbortSignal.timeout(300_000),
    });
    if (!response.ok) throw new Refused(response, undefined);
    return response.body;
  }

  async upload(issueId: string, name: string, bytes: Buffer): Promise<string> {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(bytes)], { type: 'application/x-ndjson' }), name);
    const answer = this.raw<{ id: string }>('POST', `/api/projects/issues/${issueId}/attachments`, {
      headers: { 'idempotency-key': randomUUID() },
      body,
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    return (await dataOf(answer)).id;
  }

  async removeAttachment(id: string): Promise<void> {
    await this.raw('DELETE', `/api/projects/attachments/${id}`, { signal: AbortSignal.timeout(REQUEST_MS) });
  }

  private get headers() {
    return { authorization: `Bearer ${this.key}` };
  }

  private async raw<T>(method: string, path: string, init: RequestInit) {
    const headers = { ...(init.headers as Record<string, string>), ...this.headers };
    const response = await fetch(`${this.url}${path}`, { ...init, method, headers });
    const body: unknown = response.status === 204 ? undefined : await response.json();
    return response.ok ? { data: body as T, response } : { error: body, response };
  }

  /** Repeats a request until the service answers it. @throws {Refused} when the answer is a refusal */
  private async repeat<T>(
    signal: AbortSignal,
    request: (options: { headers: Record<string, string>; signal: AbortSignal }) => Promise<{
      data?: T;
      error?: unknown;
      response: Response;
    }>,
  ): Promise<NonNullable<T>> {
    const headers = { 'Idempotency-Key': randomUUID() };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await dataOf(
          request({ headers, signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]) }),
        );
      } catch (error) {
        if (signal.aborted || !mayPass(error)) throw error;
        await sleep(pauseAfter(attempt, error), undefined, { signal });
      }
    }
  }
}

/** Returns whether the same request can succeed later: nothing was answered, or the service is busy or away. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof Refused) || error.status === 429 || error.status >= 500;
}

/** Returns how long to wait before a request is repeated: longer each time, and never in step with other runners. */
export function pauseAfter(attempt: number, error: unknown): number {
  const asked = error instanceof Refused ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  const longest = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(attempt, 10));
  return Math.max(asked, longest * (0.5 + Math.random() / 2));
}
