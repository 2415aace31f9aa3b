import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { withoutOrigin } from '../../../../platform/journal/journal-context.js';
import { ApprovalPhasesRepository } from '../approval-phases.repository.js';

/** Why a wait ended: the gate was closed, its time is over, or the caller is gone. */
export type WaitEnd = 'closed' | 'over' | 'gone';

const LOOK_MS = 200;

/**
 * Lets calls wait for the decision of a person. All that wait in this process share one look at the database. A call
 * that waits holds no connection.
 */
@Injectable()
export class DecisionWatchWorker implements BeforeApplicationShutdown {
  private readonly log = new Logger(DecisionWatchWorker.name);
  private readonly waiting = new Map<string, (end: WaitEnd) => void>();
  private timer: NodeJS.Timeout | null = null;
  private isEnding = false;

  constructor(private readonly approvals: ApprovalPhasesRepository) {}

  /** @param gone aborts when the caller does not wait for the response any more */
  async wait(gateId: string, ms: number, gone: AbortSignal): Promise<WaitEnd> {
    if (gone.aborted) return 'gone';
    if (this.isEnding) return 'over';
    let leave!: () => void;
    let timeout!: NodeJS.Timeout;
    const end = new Promise<WaitEnd>((resolve) => {
      this.waiting.set(gateId, resolve);
      leave = () => resolve('gone');
      gone.addEventListener('abort', leave, { once: true });
      timeout = setTimeout(() => resolve('over'), ms);
    });
    this.schedule();
    try {
      return await end;
    } finally {
      clearTimeout(timeout);
      gone.removeEventListener('abort', leave);
      this.waiting.delete(gateId);
    }
  }

  /** The calls that wait are parked: any process executes them once they are approved. */
  beforeApplicationShutdown(): void {
    this.isEnding = true;
    if (this.timer) clearTimeout(this.timer);
    for (const end of this.waiting.values()) end('over');
  }

  private schedule(): void {
    if (this.isEnding) return;
    this.timer ??= withoutOrigin(() => setTimeout(() => void this.look(), LOOK_MS));
  }

  private async look(): Promise<void> {
    const waiting = [...this.waiting];
    try {
      const open = await this.approvals.openAmong(waiting.map(([id]) => id));
      for (const [id, end] of waiting) if (!open.has(id)) end('closed');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn(`Whether calls were approved could not be read and is tried again: ${reason}`);
    }
    this.timer = null;
    if (this.waiting.size > 0) this.schedule();
  }
}
