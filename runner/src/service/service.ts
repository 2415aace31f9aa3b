import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiAt, dataOf, Refused, type Api, type Schemas } from 'agent-work-platform-client';

/** Longer than a waiting heartbeat. */
const REQUEST_MS = 60_000;
const DOWNLOAD_MS = 300_000;
const LONGEST_PAUSE_MS = 15_000;
const ME = { path: { agentId: 'me' } };

export type WorkItem = Schemas['WorkItemResponse'];
export type Heartbeat = Schemas['HeartbeatResponse'];
export type Turn = Schemas['TurnResponse'];
/** The end of a lease that has been decided and not yet acknowledged by the service. */
export interface PendingEnd {
  token: number;
  route: 'finish' | 'release';
  body: Schemas['FinishRequest'] | Schemas['ReleaseRequest'];
}

/** Figures that an agent reported for a turn. The service counts a `reportId` once. */
export type UsageReport = Schemas['UsageReportRequest'];

type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>;
type Repeated = { headers: Record<string, string>; signal: AbortSignal };

const limited = (request: Request) =>
  fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_MS)]) });

/** The service as one agent uses it. What changes something is repeated with the same key until it is answered. */
export class Service {
  private readonly api: Api;

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {
    this.api = apiAt(url, key, { fetch: limited });
  }

  /** Takes part once. The caller repeats it: the response lists all leases of the worker. */
  heartbeat(body: Schemas['HeartbeatRequest'], wait: number, signal?: AbortSignal): Promise<Heartbeat> {
    const params = { ...ME, query: { wait } };
    return dataOf(
      this.api.POST('/api/agents/{agentId}/heartbeat', { params, body, ...(signal && { signal }) }),
    );
  }

  /** Ends a turn: reports usage, and returns what the agent does not know yet. */
  turn(issueId: string, token: number, usage: UsageReport[], signal: AbortSignal): Promise<Turn> {
    const body = { issueId, token, ...(usage.length > 0 && { usage }) };
    return this.repeat(signal, (options) =>
      this.api.POST('/api/agents/{agentId}/turns', { params: ME, body, ...options }),
    );
  }

  /** Ends a lease. The service accepts it once per token, so a repeated one has no second effect. */
  end(issueId: string, { route, body }: PendingEnd, signal: AbortSignal): Promise<Schemas['FinishResponse']> {
    const path = `/api/projects/issues/{issueId}/${route}` as '/api/projects/issues/{issueId}/finish';
    const params = { path: { issueId } };
    return this.repeat(signal, (options) =>
      this.api.POST(path, { params, body: body as Schemas['FinishRequest'], ...options }),
    );
  }

  /** Asks a person. Opening the question ends the lease. */
  ask(issueId: string, token: number, body: Schemas['AskQuestionRequest'], signal: AbortSignal) {
    const params = { path: { issueId } };
    return this.repeat(signal, ({ headers, ...options }) => {
      const all = { ...headers, 'Lease-Token': String(token) };
      return this.api.POST('/api/projects/issues/{issueId}/gates', {
        params,
        body,
        headers: all,
        ...options,
      });
    });
  }

  issue(issueId: string): Promise<Schemas['IssueResponse']> {
    return dataOf(this.api.GET('/api/projects/issues/{issueId}', { params: { path: { issueId } } }));
  }

  me(): Promise<Schemas['AgentResponse']> {
    return dataOf(this.api.GET('/api/agents/{agentId}', { params: ME }));
  }

  /** Returns the tools of the agent, as tools/list does. */
  tools(): Promise<Turn> {
    return dataOf(this.api.POST('/api/agents/{agentId}/turns', { params: ME, body: {} }));
  }

  attachments(issueId: string): Promise<Schemas['AttachmentResponse'][]> {
    const params = { path: { issueId } };
    return dataOf(this.api.GET('/api/projects/issues/{issueId}/attachments', { params }));
  }

  /** Reports the progress of a run. The next report makes up for one that is lost. */
  async report(issueId: string, body: Schemas['ReportRunRequest']): Promise<void> {
    await this.api.PUT('/api/projects/issues/{issueId}/run', { params: { path: { issueId } }, body });
  }

  async download(path: string): Promise<ReadableStream<Uint8Array>> {
    const headers = { authorization: `Bearer ${this.key}` };
    const signal = AbortSignal.timeout(DOWNLOAD_MS);
    const response = await fetch(`${this.url}${path}`, { headers, signal });
    if (!response.ok || !response.body) throw new Refused(response, undefined);
    return response.body;
  }

  async upload(issueId: string, name: string, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal) {
    const form = new FormData();
    form.append('file', new Blob([bytes], { type: 'application/x-ndjson' }), name);
    const params = { path: { issueId } };
    const options = { params, body: { file: '' }, bodySerializer: () => form, signal };
    return (await dataOf(this.api.POST('/api/projects/issues/{issueId}/attachments', options))).id;
  }

  async removeAttachment(attachmentId: string): Promise<void> {
    await this.api.DELETE('/api/projects/attachments/{attachmentId}', { params: { path: { attachmentId } } });
  }

  /** Repeats a request until the service answers it. @throws {Refused} when the answer is a refusal */
  private async repeat<T>(
    signal: AbortSignal,
    request: (options: Repeated) => Answer<T>,
  ): Promise<NonNullable<T>> {
    const headers = { 'Idempotency-Key': randomUUID() };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await dataOf(request({ headers, signal }));
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
