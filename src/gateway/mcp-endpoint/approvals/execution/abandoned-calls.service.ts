import { Injectable } from '@nestjs/common';
import { GatesRepository } from '../../../../work/gates/gates.repository.js';
import { toolFailure } from '../../calls/tool-result.js';
import { ApprovalWatchRepository } from '../approval-watch.repository.js';
import { ExecutionOnceService } from './execution-once.service.js';

/** Seconds after which a process that does not renew its executions is taken for dead. */
export const DEAD_AFTER_SECONDS = 20;

const UNKNOWN =
  'The service ended while this call ran, so it may have been done or not. Check before you repeat it.';

/** Ends approved calls whose process died while they ran: their outcome becomes `unknown` (contract §5.7). */
@Injectable()
export class AbandonedCallsService {
  constructor(
    private readonly watch: ApprovalWatchRepository,
    private readonly executions: ExecutionOnceService,
    private readonly gates: GatesRepository,
  ) {}

  /** Shows that this process lives and executes its calls. */
  renew(): Promise<void> {
    return this.watch.renew(this.executions.runningHere());
  }

  /** Ends a call whose process is gone. Whether its server did it is unknown, so it is never repeated. */
  async abandon(gateId: string): Promise<void> {
    const gate = await this.gates.read(gateId);
    if (gate) await this.executions.end(gate, { outcome: 'unknown' }, toolFailure(UNKNOWN));
  }
}
