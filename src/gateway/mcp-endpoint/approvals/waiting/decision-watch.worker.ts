import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { RepeatedFailure } from '../../../../platform/failures/repeated-failure.js';
import { ApprovalWatchRepository } from '../approval-watch.repository.js';
import { WaitingGates, type WaitEnd } from '../waiting-gates.js';

const LOOK_MS = 200;

/** Lets calls wait for the decision of a person. */
@Injectable()
export class DecisionWatchWorker implements BeforeApplicationShutdown {
  private readonly waiting: WaitingGates;

  constructor(approvals: ApprovalWatchRepository) {
    this.waiting = new WaitingGates(
      (gateIds) => approvals.openAmong(gateIds),
      LOOK_MS,
      new RepeatedFailure(
        new Logger(DecisionWatchWorker.name),
        'Whether calls were approved could not be read and is tried again',
      ),
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
