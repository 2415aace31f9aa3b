import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../platform/concurrency/concurrency.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { ApprovalOutdated } from './approval.errors.js';
import { ApprovedCallRightsRepository } from './approved-call-rights.repository.js';

type Begin = (send: () => void) => Promise<void>;

/** Connections of the pool that these transactions hold at once: people approve one call at a time. */
const AT_ONCE = 2;

/**
 * The moment at which an approved call begins (contract §5.7). In one transaction it holds off whatever would forbid the
 * call, looks whether it may be made, and sends it. So no call begins after the commit that revoked its grant, changed
 * its tool, disabled its server or agent, halted all agents, or took its issue away.
 */
@Injectable()
export class ApprovedCallStartService {
  private readonly places = new Semaphore(AT_ONCE);

  constructor(
    private readonly transactions: TransactionsService,
    private readonly calls: ApprovedCallRightsRepository,
  ) {}

  /** Returns what begins a call that was approved. @param outer looks at its lease too, where it has one */
  beginOf(gateId: string, outer?: Begin): Begin {
    // Without this, the look at the lease would join the transaction of this moment.
    const outside = outer && AsyncResource.bind(outer);
    return (send) => this.places.run(() => this.enter(gateId, outside ? () => outside(send) : send));
  }

  /** A transaction that fails after the call was sent is not run again: the call must not be sent twice. */
  private async enter(gateId: string, send: () => Promise<void> | void): Promise<void> {
    let isSent = false;
    try {
      await this.transactions.run(async () => {
        if (isSent) return;
        await this.calls.holdOff(gateId);
        // A statement of its own: it has to see what was committed before the locks were taken.
        const reason = await this.calls.refusalOf(gateId);
        if (reason !== null) throw new ApprovalOutdated(gateId, reason);
        await send();
        isSent = true;
        // The locks are released after the call has been handed to its connection.
        await nextTurn();
      });
    } catch (error) {
      if (!isSent) throw error;
    }
  }
}
