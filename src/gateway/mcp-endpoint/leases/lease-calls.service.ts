import { Injectable } from '@nestjs/common';
import { PLATFORM_PREFIX } from '../../agent-tools/platform-tools.js';
import type { Exchange } from '../calls/exchange.js';
import { LeaseCallsWorker, type LeasePrincipal } from './lease-calls.worker.js';
import { LeaseCallStartService } from './lease-call-start.service.js';
import { LeaseOver } from './lease-over.js';
import { LostLeasesService } from './lost-leases.service.js';

type Loose = Record<string, unknown>;

/** Checks the token itself, so that its repetition after the end of the lease returns what the first one did. */
const CHECKS_ITSELF = `${PLATFORM_PREFIX}update_issue`;

/** Runs tool calls that came with a lease key, and answers those that its lease does not allow (contract §7.9). */
@Injectable()
export class LeaseCallsService {
  constructor(
    private readonly worker: LeaseCallsWorker,
    private readonly callStart: LeaseCallStartService,
    private readonly lost: LostLeasesService,
  ) {}

  /** Runs a call at a server. */
  run(
    agent: LeasePrincipal,
    isLost: boolean,
    exchange: Exchange,
    call: (bound: Exchange) => Promise<Loose>,
  ): Promise<Loose> {
    return this.answered(agent, isLost, () => this.worker.run(agent, exchange, call));
  }

  /** Runs a tool of the platform. A halt does not keep it from handing in what it has. */
  begin(agent: LeasePrincipal, name: string, isLost: boolean, call: () => Promise<Loose>): Promise<Loose> {
    if (name === CHECKS_ITSELF) return call();
    return this.answered(agent, isLost, () => this.whileLeaseLives(agent, call));
  }

  private async whileLeaseLives({ id, lease }: LeasePrincipal, call: () => Promise<Loose>): Promise<Loose> {
    let result!: Promise<Loose>;
    await this.callStart.enter({ agentId: id, ...lease }, false, () => {
      result = call();
      // It may fail before the transaction has ended. The caller gets the error below.
      result.catch(() => undefined);
    });
    return result;
  }

  private async answered(agent: LeasePrincipal, isLost: boolean, run: () => Promise<Loose>): Promise<Loose> {
    if (isLost) return this.lost.result(agent);
    try {
      return await run();
    } catch (error) {
      if (error instanceof LeaseOver) return this.lost.result(agent);
      throw error;
    }
  }
}
