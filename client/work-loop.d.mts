import type { Heartbeat, WorkerApi, WorkItem } from './worker.mjs';

/** The order to stop a job. After a pause and the like the present step may end; other reasons cancel it. */
export class Stop {
  /** Null until the order is given. */
  readonly reason: string | null;
  /** Aborts when the step must not go on. */
  readonly now: AbortSignal;
  request(reason: string): void;
}

/** Work on one lease of an issue. */
export interface Job {
  readonly item: WorkItem;
  readonly stop: Stop;
  /** Takes what people answered meanwhile. */
  hear(item: WorkItem): void;
  /** Settles when the work has ended and its end is reported. It never rejects. */
  readonly done: Promise<void>;
}

export interface WorkHandlers {
  /** Returns how many more issues may be begun beside those that are worked on. */
  capacity(held: number): number;
  /** Returns why the worker takes no more work until a person has acted, which the service shows; null while it does. */
  failing?(): string | null;
  /** Begins work on an issue that the service hands out. */
  start(item: WorkItem): Job;
  onHeartbeat?(heartbeat: Heartbeat): void;
  /** A heartbeat was not answered, and is sent again. */
  onRetry?(error: Error): void;
}

/** The process among those that use the name of a worker. */
export interface WorkProcess {
  /** New at each start; a random one by default. */
  instance?: string;
  /** Whether it supersedes another process of the name, which its caller knows to have ended. */
  takeOver?: boolean;
}

/**
 * Takes work for one worker of an agent. It keeps the rules of leases (contract §7.1): which leases a heartbeat names, what
 * begins, goes on and stops, and that a lease which comes after the end is released. It does nothing but heartbeats, so
 * that no work delays one. While another process has the name of the worker it waits, and `onRetry` says so.
 */
export class WorkLoop {
  constructor(service: WorkerApi, worker: string, handlers: WorkHandlers, process?: WorkProcess);
  /**
   * Works until `end` is called and the last job is done.
   * @throws {Refused} when the key is not good any more, or another process has taken over the name
   */
  run(): Promise<void>;
  /** Stops all jobs with a reason, and takes no more. */
  end(reason: string): void;
}
