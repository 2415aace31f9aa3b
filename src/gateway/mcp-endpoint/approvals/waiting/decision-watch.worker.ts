import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { ApprovalWatchRepository } from '../approval-watch.repository.js';
import { WaitingGates, type WaitEnd } from '../waiting-gates.js';

const LOOK_MS = 200;

/** Lets calls wait for the decision of a person. */
@Injectable()
export class DecisionWatchWorker implements BeforeApplicationShutdown {
  private readonly log = new Logger(DecisionWatchWorker.name);
  private readonly waiting: WaitingGates;

  constructor(approvals: ApprovalWatchRepository) {
    this.waiting = new WaitingGates(
      (gateIds) => approvals.openAmong(gateIds),
      LOOK_MS,
      (reason) =>
        this.log.warn(`Whether calls were approved could not be read and is tried again: ${reason}`),
    );
  }

  /** @param gone aborts when the caller does not wait for the response any more */
  wait(gateId: string, ms: number, gone: AbortSignal): Promise<WaitEnd> {
    return this.waiting.wait(gateId, ms, gone);
  }

  /** The calls that wait are parked: any process executes them once they are approved. */
  beforeApplicationShutdown(): void {
    this.waiting.end();
  }
}
