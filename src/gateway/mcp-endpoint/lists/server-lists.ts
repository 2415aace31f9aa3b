import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpError } from '../../../mcp/processes/mcp-errors.js';
import { ProcessNews } from '../../../mcp/installed-servers/running/process-news.js';
import { scopeOf, type Sharing } from '../../../mcp/installed-servers/running/scope.js';
import { ServerCalls, type CallTarget } from '../../../mcp/installed-servers/running/server-calls.js';
import { LIST_METHODS, type ListKind } from './list-methods.js';

type Loose = Record<string, unknown>;

interface KeptList {
  serverId: string;
  items: Promise<Loose[]>;
  until: number;
}

/** Prompts and resources have no approved snapshot, so their lists come from live servers, and are kept for so long. */
const KEPT_MS = 5 * 60_000;
/** A server that gives none in this time counts as having none until it is asked again. */
const PATIENCE_MS = 10_000;
const FAILURE_KEPT_MS = 30_000;
const MOST_KEPT = 2_000;
const MOST_PAGES = 100;
const MOST_ITEMS = 2_000;

/** What servers list beside tools. A server that is slow or down costs its own items and nobody else's (spec §7). */
@Injectable()
export class ServerLists implements OnModuleInit {
  private readonly kept = new Map<string, KeptList>();

  constructor(
    private readonly servers: ServerCalls,
    private readonly news: ProcessNews,
  ) {}

  onModuleInit(): void {
    this.news.listChanged.subscribe(({ serverId }) => this.forget(serverId));
  }

  /** Items as the server gives them. Never rejects. */
  of(server: { serverId: string; sharing: Sharing }, agentId: string, kind: ListKind): Promise<Loose[]> {
    const target = { serverId: server.serverId, scope: scopeOf(server.sharing, agentId) };
    const key = `${target.serverId}/${target.scope}/${kind}`;
    const kept = this.kept.get(key);
    if (kept && kept.until > performance.now()) return kept.items;
    if (this.kept.size >= MOST_KEPT) this.kept.clear();
    const fresh: KeptList = {
      serverId: target.serverId,
      until: performance.now() + KEPT_MS,
      items: Promise.resolve([]),
    };
    fresh.items = this.read(target, kind, agentId).catch((fault: unknown) => {
      // A server that answers that it has no such list has none; one that does not answer may have one later.
      if (!(fault instanceof McpError)) fresh.until = performance.now() + FAILURE_KEPT_MS;
      return [];
    });
    this.kept.set(key, fresh);
    return fresh.items;
  }

  private forget(serverId: string): void {
    for (const [key, kept] of this.kept) if (kept.serverId === serverId) this.kept.delete(key);
  }

  private async read(target: CallTarget, kind: ListKind, caller: string): Promise<Loose[]> {
    const { method, member } = LIST_METHODS[kind];
    const options = { caller, signal: AbortSignal.timeout(PATIENCE_MS) };
    const items: Loose[] = [];
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES && items.length < MOST_ITEMS; page += 1) {
      const result = await this.servers.call(target, method, cursor === undefined ? {} : { cursor }, options);
      items.push(...objectsIn(result[member]));
      if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break;
      cursor = result.nextCursor;
    }
    return items.slice(0, MOST_ITEMS);
  }
}

function objectsIn(list: unknown): Loose[] {
  return Array.isArray(list)
    ? list.filter((item): item is Loose => typeof item === 'object' && item !== null)
    : [];
}
