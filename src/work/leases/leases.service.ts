import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Settings } from '../../platform/config/settings.js';
import { type BriefChanges, changesBetween, NO_CHANGES } from '../issue-status/brief-changes.js';
import { IssueLease } from '../issue-status/issue-lease.entity.js';
import {
  type HeardBrief,
  IssueLeaseRepository,
  type NamedLease,
  type RenewedLease,
} from '../issue-status/issue-lease.repository.js';
import { parseIssueReference } from '../issue-status/issue-row.js';
import { type StopReason, stopReasonOf } from '../issue-status/stop-reasons.js';

const LONGEST_SECONDS = 30;

/** Returns how many seconds an agent waits between heartbeats: three fit into a lease, so that one may be lost. */
export function heartbeatIntervalSeconds(leaseSeconds: number): number {
  return Math.max(1, Math.min(LONGEST_SECONDS, Math.floor(leaseSeconds / 3)));
}

/** Renews the leases of workers and returns what became of them (contract §7). `PickUpsService` hands out new ones. */
@Injectable()
export class IssueLeasesService {
  constructor(
    @InjectRepository(IssueLease) private readonly leases: IssueLeaseRepository,
    private readonly settings: Settings,
  ) {}

  /** Returns the ids of the issues that a worker names by id or key. What names no issue that the agent sees is absent. */
  async idsOf(agentId: string, references: string[]): Promise<Map<string, string>> {
    const parsed = references.map((reference) => ({ reference, name: parseIssueReference(reference) }));
    const keys = parsed.flatMap(({ name }) => (name && 'number' in name ? [name] : []));
    const found = keys.length > 0 ? await this.leases.findByKeys(agentId, keys) : [];
    const byKey = new Map(found.map(({ key, id }) => [key, id]));
    const ids = new Map<string, string>();
    for (const { reference, name } of parsed) {
      const id = name && 'id' in name ? name.id.toLowerCase() : byKey.get(reference);
      if (id !== undefined) ids.set(reference, id);
    }
    return ids;
  }

  /** Renews those leases that are still the worker's. */
  renew(agentId: string, named: NamedLease[], worker: string | null = null): Promise<RenewedLease[]> {
    return this.leases.renew(agentId, named, this.settings.leaseSeconds, worker);
  }

  /** Gives the leases of a worker new tokens, so that the process that has held them cannot go on. */
  takeOver(agentId: string, worker: string): Promise<void> {
    return this.leases.takeOver(agentId, worker);
  }

  /** Returns the leases that a worker has to hear of. */
  ofWorker(agentId: string, worker: string): Promise<NamedLease[]> {
    return this.leases.findOfWorker(agentId, worker);
  }

  /** The worker has heard that its leases of these issues ended. */
  async forget(agentId: string, worker: string, issueIds: string[]): Promise<void> {
    if (issueIds.length > 0) await this.leases.forget(agentId, worker, issueIds);
  }

  /** Returns what changed in the brief since the agent last received it, which it hereby does. */
  async takeChanges(agentId: string, issueId: string): Promise<BriefChanges> {
    const brief = await this.leases.takeBrief(agentId, issueId);
    return brief ? changesBetween(brief.heard, brief.present) : NO_CHANGES;
  }

  /** Returns what the agent knew of issues that it had before, and how they are now. */
  heardOf(agentId: string, issueIds: string[]): Promise<HeardBrief[]> {
    return issueIds.length > 0 ? this.leases.findHeard(agentId, issueIds) : Promise.resolve([]);
  }

  /**
   * Returns why a worker must stop, by the id of each of these issues. One that is absent was deleted, or is not seen.
   * @param held with the token 0 where the worker names none
   * @param isPast whether what ended the lease counts also after it is over
   */
  async stopReasons(agentId: string, held: NamedLease[], isPast = true): Promise<Map<string, StopReason>> {
    const standings = await this.leases.findStandings(agentId, held);
    return new Map(
      standings.map(({ endedAs, ...standing }) => [
        standing.id,
        stopReasonOf({ ...standing, endedAs: isPast ? endedAs : null }),
      ]),
    );
  }

  countLive(agentId: string): Promise<number> {
    return this.leases.countLive(agentId);
  }
}
