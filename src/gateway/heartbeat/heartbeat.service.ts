import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { Settings } from '../../platform/config/settings.js';
import { Transactions } from '../../platform/database/transactions.js';
import { IssueLeases, type PickedUp } from '../../work/issues/leases/issue-leases.js';
import type { NamedLease, RenewedLease } from '../../work/issues/leases/leases.repository.js';
import type { StopReason } from '../../work/issues/leases/stop-reason.js';
import { HeartbeatRepository, type AgentLook, type NewComment } from './heartbeat.repository.js';

/** What a worker says: the leases it holds, and how many more issues it can take now; null is no limit of its own. */
export interface HeartbeatCall {
  leases: NamedLease[];
  capacity: number | null;
}

export interface Heartbeat {
  agent: AgentLook;
  pickedUp: PickedUp[];
  active: (RenewedLease & { newComments: NewComment[] })[];
  stop: { issueId: string; reason: StopReason }[];
  nextHeartbeatSeconds: number;
}

const LONGEST_PAUSE_SECONDS = 30;

/** An agent's worker reports, is told what to stop, and gets work (spec §7). */
@Injectable()
export class HeartbeatService {
  constructor(
    private readonly heartbeats: HeartbeatRepository,
    private readonly leases: IssueLeases,
    private readonly settings: Settings,
    private readonly transactions: Transactions,
  ) {}

  async beat(caller: AgentPrincipal, call: HeartbeatCall): Promise<Heartbeat> {
    const agent = await this.heartbeats.look(caller.id);
    if (agent.lastSeenIsStale) await this.heartbeats.touch(caller.id);
    if (call.leases.length === 0 && slotsOf(agent, call) === 0)
      return this.answer(agent, { pickedUp: [], active: [], stop: [] });
    return this.transactions.run(async () => {
      await this.heartbeats.lockAgent(caller.id);
      return this.serve(await this.heartbeats.look(caller.id), call);
    });
  }

  private async serve(agent: AgentLook, call: HeartbeatCall): Promise<Heartbeat> {
    const held = stoppedAltogether(agent);
    const renewed = held ? [] : await this.leases.renew(agent.id, call.leases);
    const lost = call.leases
      .map(({ issueId }) => issueId)
      .filter((id) => !renewed.some(({ issueId }) => issueId === id));
    const stop = held
      ? lost.map((issueId) => ({ issueId, reason: held }))
      : await this.leases.stopReasons(agent.id, lost);
    // A late lease that was renewed takes a slot again, so they are counted now.
    const activeIssues = renewed.length > 0 ? await this.leases.countLive(agent.id) : agent.activeIssues;
    const slots = slotsOf({ ...agent, activeIssues }, call);
    const pickedUp = slots > 0 ? await this.leases.pickUp(agent.id, slots) : [];
    const comments =
      renewed.length > 0
        ? await this.heartbeats.newComments(
            agent.id,
            renewed.map(({ issueId }) => issueId),
          )
        : [];
    const active = renewed.map((lease) => ({
      ...lease,
      newComments: comments.filter(({ issueId }) => issueId === lease.issueId),
    }));
    return this.answer(
      { ...agent, activeIssues: activeIssues + pickedUp.length },
      { pickedUp, active, stop },
    );
  }

  /** Three beats fit into a lease, so that one may get lost. */
  private answer(agent: AgentLook, rest: Pick<Heartbeat, 'pickedUp' | 'active' | 'stop'>): Heartbeat {
    const nextHeartbeatSeconds = Math.max(
      1,
      Math.min(LONGEST_PAUSE_SECONDS, Math.floor(this.settings.leaseSeconds / 3)),
    );
    return { agent, ...rest, nextHeartbeatSeconds };
  }
}

/** The reason for which an agent may do nothing at all. */
export function stoppedAltogether(agent: AgentLook): 'halted' | 'disabled' | null {
  if (agent.halted) return 'halted';
  return agent.disabled ? 'disabled' : null;
}

/** How many issues may be handed out now. */
function slotsOf(agent: AgentLook, call: HeartbeatCall): number {
  if (stoppedAltogether(agent) || !agent.hasWork) return 0;
  const free = Math.max(0, agent.maxConcurrentIssues - agent.activeIssues);
  return call.capacity === null ? free : Math.min(free, call.capacity);
}
