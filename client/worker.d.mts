import type { Schemas } from './client.mjs';

export { Refused, type Schemas } from './client.mjs';

export type WorkItem = Schemas['WorkItemResponse'];
export type Heartbeat = Schemas['HeartbeatResponse'];
export type Turn = Schemas['TurnResponse'];
export type Attachment = Schemas['AttachmentResponse'];
/** Figures that an agent reported for a turn. The service counts a `reportId` once. */
export type UsageReport = Schemas['UsageReportRequest'];
/** The end of a lease: finished, or given back without an attempt. */
export type LeaseEnd =
  | { route: 'finish'; body: Schemas['FinishRequest'] }
  | { route: 'release'; body: Schemas['ReleaseRequest'] };

/**
 * The service as a worker of one agent uses it. What changes something is repeated until it is answered, and has its effect
 * once. Every method throws `Refused` when the service refuses.
 */
export class WorkerApi {
  constructor(url: string, key: string);
  /** Reports what the worker holds, and waits up to `wait` seconds for work. The response lists all its leases. */
  heartbeat(
    body: Schemas['HeartbeatRequest'],
    wait: number,
    signal?: AbortSignal,
    onRetry?: (error: Error) => void,
  ): Promise<Heartbeat>;
  /** Ends a turn: reports usage, and returns what the agent does not know yet. */
  turn(issueId: string, token: number, usage: UsageReport[], signal?: AbortSignal): Promise<Turn>;
  /** Ends a lease. The service accepts it once per token. */
  end(issueId: string, end: LeaseEnd, signal?: AbortSignal): Promise<void>;
  /** Gives an issue back without an attempt. */
  release(issueId: string, token: number, reason: string, signal?: AbortSignal): Promise<void>;
  /** Asks a person. Opening the question ends the lease. */
  ask(
    issueId: string,
    token: number,
    body: Schemas['AskQuestionRequest'],
    signal: AbortSignal,
  ): Promise<Schemas['GateResponse']>;
  issue(issueId: string): Promise<Schemas['IssueResponse']>;
  /** Returns the newest 200 sub-issues. */
  children(issueId: string): Promise<Schemas['IssueSummaryResponse'][]>;
  me(): Promise<Schemas['AgentResponse']>;
  /** Returns the tools of the agent, as tools/list does, in the response to a turn without a lease. */
  tools(): Promise<Turn>;
  attachments(issueId: string): Promise<Attachment[]>;
  /** Reports the progress of a run, once: the next report makes up for one that is lost. */
  report(issueId: string, body: Schemas['ReportRunRequest']): Promise<void>;
  /** Returns the bytes at a `downloadUrl`. */
  download(path: string): Promise<ReadableStream<Uint8Array>>;
  /** Uploads a file, in place of the attachment `replaces` where that is given. */
  upload(issueId: string, name: string, bytes: Blob, replaces: string | null): Promise<Attachment>;
}
