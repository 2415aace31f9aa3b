import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { prepared } from '../../platform/database/service.client.js';
import { type LiveHost, ToolsHost } from './tools-host.entity.js';

/** After this time without a renewal a host counts as dead (contract §9.3). */
export const DEAD_AFTER = '5 seconds';

/**
 * Orders hosts for a key by rendezvous hashing: every process computes the same order, and a host that comes or goes
 * moves only the keys that it had or gets. The address counts, so that a host that starts again gets the servers whose
 * data it has. A call goes to the first host, and to the next one where that is gone.
 */
export function rendezvous<Host extends { address: string }>(hosts: readonly Host[], key: string): Host[] {
  return hosts
    .map((host) => ({ host, weight: weightOf(host.address, key) }))
    .toSorted((a, b) => (a.weight < b.weight ? 1 : a.weight > b.weight ? -1 : 0))
    .map(({ host }) => host);
}

function weightOf(address: string, key: string): string {
  return createHash('sha256').update(`${address}\n${key}`).digest('hex');
}

/** How old the list may be. A host that drains goes on for longer than this. */
const EVERY_MS = 500;
/**
 * A host that is gone from the list stays for so long. After an outage of the database the list is empty until the hosts
 * have announced themselves again, and their calls go on.
 */
const GRACE_MS = 2_500;
/** A host that did not respond is tried last for so long; by then its announcement has ended too, unless it lives. */
const SUSPECT_MS = 5_000;

const LIVE = prepared(
  'tools-hosts.live',
  `SELECT id, address, is_draining AS "isDraining" FROM tools_hosts
   WHERE seen_at > now() - interval '${DEAD_AFTER}' ORDER BY id`,
);

/** Knows which tools hosts live, and which one has the process of a server. */
@Injectable()
export class LiveHostsService implements OnModuleDestroy {
  private readonly log = new Logger(LiveHostsService.name);
  private hosts: LiveHost[] = [];
  /** Since when hosts are gone from the list. */
  private readonly missing = new Map<string, number>();
  private readonly suspects = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private reading: Promise<void> | null = null;
  private readonly watchers = new Set<(hosts: readonly LiveHost[]) => void>();

  constructor(@InjectRepository(ToolsHost) private readonly announced: Repository<ToolsHost>) {}

  /** Reads the list from now on. */
  begin(): void {
    this.timer ??= setInterval(() => void this.refresh(), EVERY_MS).unref();
    void this.refresh();
  }

  /** Calls `watcher` after each reading of the list, until the function that is returned is called. */
  watch(watcher: (hosts: readonly LiveHost[]) => void): () => void {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  /** Returns the hosts that a request may go to, in the order in which to try them. */
  async inOrder(key: string): Promise<LiveHost[]> {
    if (!this.hosts.some(({ isDraining }) => !isDraining)) await this.refresh();
    const taking = this.hosts.filter(({ isDraining }) => !isDraining);
    const order = rendezvous(taking, key);
    return [
      ...order.filter(({ id }) => !this.isSuspect(id)),
      ...order.filter(({ id }) => this.isSuspect(id)),
    ];
  }

  all(): readonly LiveHost[] {
    return this.hosts;
  }

  /** Tries this host last for a while, because it did not respond. */
  suspect(id: string): void {
    this.suspects.set(id, performance.now() + SUSPECT_MS);
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
  }

  private isSuspect(id: string): boolean {
    return (this.suspects.get(id) ?? 0) > performance.now();
  }

  /** Reads the list at once. */
  refresh(): Promise<void> {
    this.reading ??= this.read().finally(() => (this.reading = null));
    return this.reading;
  }

  /** SQL: every process reads it twice per second. The last list stays while the database does not respond: the hosts on it may well live. */
  private async read(): Promise<void> {
    try {
      this.hosts = this.withMissing(await this.announced.query<LiveHost[]>(LIVE));
    } catch (error) {
      this.log.debug(`The list of tools hosts could not be read: ${String(error)}`);
      return;
    }
    for (const id of this.suspects.keys()) if (!this.isSuspect(id)) this.suspects.delete(id);
    for (const watcher of this.watchers) watcher(this.hosts);
  }

  private withMissing(live: LiveHost[]): LiveHost[] {
    const ids = new Set(live.map(({ id }) => id));
    const known = new Set(this.hosts.map(({ id }) => id));
    for (const id of this.missing.keys()) if (ids.has(id) || !known.has(id)) this.missing.delete(id);
    const now = performance.now();
    const waitedFor = this.hosts.filter(({ id }) => {
      if (ids.has(id)) return false;
      const since = this.missing.get(id) ?? now;
      this.missing.set(id, since);
      return now - since < GRACE_MS;
    });
    return [...live, ...waitedFor];
  }
}
