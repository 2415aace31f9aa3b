import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principal.js';
import { Settings } from '../../platform/config/settings.js';
import type { HeartbeatCall } from './heartbeat-call.js';
import { type Heartbeat, HeartbeatService } from './heartbeat.service.js';

import { WaitingWorkersWorker } from './waiting-workers.worker.js';

/** Handles heartbeats that wait until there is something to start or to stop (contract §7.1). */
@Injectable()
export class WaitingHeartbeatsService {
  constructor(
    private readonly heartbeats: HeartbeatService,
    private readonly waiting: WaitingWorkersWorker,
    private readonly settings: Settings,
  ) {}

  /**
   * @param seconds at most a third of the lease is waited, so that two heartbeats still fit into it
   * @param signal aborts when the caller is gone
   */
  async handle(
    caller: AgentPrincipal,
    call: HeartbeatCall,
    seconds: number,
    signal: AbortSignal,
  ): Promise<Heartbeat> {
    const end = performance.now() + Math.min(seconds, this.settings.leaseSeconds / 3) * 1000;
    for (;;) {
      const heartbeat = await this.heartbeats.handle(caller, call);
      const left = end - performance.now();
      if (hasNews(heartbeat) || left <= 0 || signal.aborted) return heartbeat;
      const leases = heartbeat.active.map(({ id, token }) => ({ agentId: caller.id, issueId: id, token }));
      const worker = { agentId: caller.id, hasCapacity: call.capacity !== 0, leases };
      if (!(await this.waiting.wait(worker, left, signal)) && leases.length === 0) return heartbeat;
      // Work that is handed to a caller who is gone is lost until its lease runs out.
      if (signal.aborted || this.waiting.isEnding) return heartbeat;
    }
  }
}

function hasNews({ work, pickedUp, stop }: Heartbeat): boolean {
  if (work) return work.some(({ state }) => state !== 'continue');
  return pickedUp.length > 0 || stop.length > 0;
}
