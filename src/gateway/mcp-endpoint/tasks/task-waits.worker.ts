import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { RepeatedFailure } from '../../../platform/failures/repeated-failure.js';
import { ApprovalWatchRepository } from '../approvals/approval-watch.repository.js';
import { WaitingGates, type WaitEnd } from '../approvals/waiting-gates.js';

const LOOK_MS = 500;

/** Lets requests for the result of a task wait until it is there. */
@Injectable()
export class TaskWaitsWorker implements BeforeApplicationShutdown {
  private readonly waiting: WaitingGates;

  constructor(approvals: ApprovalWatchRepository) {
    this.waiting = new WaitingGates(
      (gateIds) => approvals.unfinishedAmong(gateIds),
      LOOK_MS,
      new RepeatedFailure(
        new Logger(TaskWaitsWorker.name),
        'Whether tasks are over could not be read and is tried again',
      ),
    );
  }

  /** @param gone aborts when the client cancels the request, or its session ends */
  wait(gateId: string, ms: number, gone: AbortSignal): Promise<WaitEnd> {
    return this.waiting.wait(gateId, ms, gone);
  }

  /** The next process answers the next request. */
  beforeApplicationShutdown(): void {
    this.waiting.end();
  }
}
