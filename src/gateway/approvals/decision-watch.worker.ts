import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { withoutOrigin } from '../../platform/journal/journal.service.js';
import { ToolApprovalRepository } from './tool-approval.repository.js';
import { ToolApproval } from './tool-approval.entity.js';

/** Why a wait ended: what it waited for has come, its time is over, or the caller is gone. */
export type WaitEnd = 'closed' | 'over' | 'gone';

/** Requests of this process that wait for gates. They share one look at the database, and hold no connection. */
export class WaitingGates {
  private readonly waiting = new Map<string, Set<(end: WaitEnd) => void>>();
  private timer: NodeJS.Timeout | null = null;
  private isEnding = false;

  /**
   * @param stillAmong returns those of the gates that have to be waited for further
   * @param lookMs the time between two looks
   * @param failure takes note of looks that fail; the next look tries again
   */
  constructor(
    private readonly stillAmong: (gateIds: string[]) => Promise<Set<string>>,
    private readonly lookMs: number,
    private readonly failure: Pick<RepeatedFailure, 'failed' | 'succeeded'>,
  ) {}

  /** @param gone aborts when the caller does not wait for the response any more */
  async wait(gateId: string, ms: number, gone: AbortSignal): Promise<WaitEnd> {
    if (gone.aborted) return 'gone';
    if (this.isEnding) return 'over';
    const ends = this.waiting.get(gateId) ?? new Set();
    this.waiting.set(gateId, ends);
    let resolve!: (end: WaitEnd) => void;
    const end = new Promise<WaitEnd>((settle) => (resolve = settle));
    const leave = () => resolve('gone');
    ends.add(resolve);
    gone.addEventListener('abort', leave, { once: true });
    const timeout = setTimeout(() => resolve('over'), ms);
    this.schedule();
    try {
      return await end;
    } finally {
      clearTimeout(timeout);
      gone.removeEventListener('abort', leave);
      ends.delete(resolve);
      if (ends.size === 0 && this.waiting.get(gateId) === ends) this.waiting.delete(gateId);
    }
  }

  /** Ends every wait as if its time were over, and all that come. */
  end(): void {
    this.isEnding = true;
    if (this.timer) clearTimeout(this.timer);
    for (const ends of this.waiting.values()) for (const end of ends) end('over');
  }

  private schedule(): void {
    if (this.isEnding) return;
    this.timer ??= withoutOrigin(() => setTimeout(() => void this.look(), this.lookMs));
  }

  private async look(): Promise<void> {
    const waiting = [...this.waiting];
    try {
      const still = await this.stillAmong(waiting.map(([id]) => id));
      for (const [id, ends] of waiting) if (!still.has(id)) for (const end of ends) end('closed');
      this.failure.succeeded();
    } catch (error) {
      this.failure.failed(error);
    }
    this.timer = null;
    if (this.waiting.size > 0) this.schedule();
  }
}

/** Lets calls wait for the decision of a person, and requests for the result of a task until it is there. */
@Injectable()
export class DecisionWatchWorker implements BeforeApplicationShutdown {
  private readonly log = new Logger(DecisionWatchWorker.name);
  private readonly decisions: WaitingGates;
  private readonly ends: WaitingGates;

  constructor(@InjectRepository(ToolApproval) approvals: ToolApprovalRepository) {
    const failure = (what: string) =>
      new RepeatedFailure(this.log, `Whether ${what} could not be read and is tried again`);
    this.decisions = new WaitingGates(
      (gateIds) => approvals.openAmong(gateIds),
      200,
      failure('calls were approved'),
    );
    this.ends = new WaitingGates(
      (gateIds) => approvals.unfinishedAmong(gateIds),
      500,
      failure('tasks are over'),
    );
  }

  /** Waits for the decision. @param gone aborts when the caller does not wait for the response any more */
  wait(gateId: string, ms: number, gone: AbortSignal): Promise<WaitEnd> {
    return this.decisions.wait(gateId, ms, gone);
  }

  /** Waits until the call of the gate is over. @param gone as above */
  waitForEnd(gateId: string, ms: number, gone: AbortSignal): Promise<WaitEnd> {
    return this.ends.wait(gateId, ms, gone);
  }

  /**
   * The calls that wait are parked: any process executes them once they are approved. The next process answers the next
   * request for a result.
   */
  beforeApplicationShutdown(): void {
    this.decisions.end();
    this.ends.end();
  }
}
