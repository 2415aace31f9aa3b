import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  addressed,
  advertisedNames,
  originalOf,
  partsOf,
  partsOfAddress,
  withAddressesInMessages,
} from '../../mcp/access/advertised-name.js';
import type { CalledServer } from '../../mcp/access/effective-access-and-refusals.js';
import { ToolAccessService } from '../../mcp/access/tool-access.service.js';
import { McpError } from '../../mcp/processes/connection/mcp-errors.js';
import { scopeOf, type UsedServer } from '../../mcp/processes/server-description-and-limits.js';
import { InstalledServerClient } from '../../mcp/running/installed-server.client.js';
import { ProcessEventsService } from '../../mcp/server-processes/supervisor-sandbox-and-sweep.provider.js';
import {
  LIST_METHODS,
  type ListKind,
  offersOf,
} from '../../mcp/server-records/prompt-and-resource-definitions.js';
import type { CallTarget } from '../../mcp/tools-hosts/call-starts.service.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { inSpan } from '../../platform/tracing/spans.js';
import { LeaseRequired, mayUseServers } from '../agent-tools/agent-tools.service.js';
import type { Exchange } from '../calls/exchange.js';
import { forwardedMeta, traceparentIn, withoutReservedMeta } from '../calls/request-meta-and-task-wish.js';
import { notYours, refusalError } from '../calls/tool-results-and-refusals.js';
import { asProtocolError } from '../tool-calls/admitted-and-failed-calls.service.js';

/** Requests of agents to servers other than tool calls: for prompts, resources, completions. */
@Injectable()
export class ServerRequestsService {
  constructor(
    private readonly access: ToolAccessService,
    private readonly servers: InstalledServerClient,
  ) {}

  /**
   * Returns the server that a name of the agent belongs to.
   * @throws {ProtocolError} when the agent cannot use it now
   */
  async serverOf(agent: AgentPrincipal, slug: string, name: string): Promise<CalledServer> {
    if (!mayUseServers(agent))
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, new LeaseRequired().detail, {
        code: 'lease_required',
      });
    const verdict = await this.access.mayUse(agent.id, slug);
    if (!verdict.allowed) throw refusalError(verdict, name);
    return verdict.server;
  }

  /** @throws {ProtocolError} the server's own JSON-RPC error, or a sentence when it gave no response */
  async pass(
    agent: AgentPrincipal,
    server: CalledServer,
    method: string,
    params: Loose,
    exchange: Exchange,
  ): Promise<Loose> {
    const target = { serverId: server.serverId, scope: scopeOf(server, agent.id) };
    const attributes = { 'mcp.method.name': method, 'awp.server': server.slug };
    const span = { kind: 'client' as const, attributes, continues: traceparentIn(params) };
    try {
      return withoutReservedMeta(
        await inSpan(`${server.slug} ${method}`, span, () =>
          this.servers.call(target, method, forwardedMeta(params), { ...exchange, caller: agent.id }),
        ),
      );
    } catch (fault) {
      throw asProtocolError(fault);
    }
  }
}

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

/** Lists prompts and resources of servers. A slow or failed server hides only its own items (contract §7). */
@Injectable()
export class ServerListsService implements OnModuleInit {
  private readonly kept = new Map<string, KeptList>();
  /** The lists, by server and kind, that had items when they were last read: an agent may know those of a server that is gone. */
  private readonly known = new Set<string>();

  constructor(
    private readonly servers: InstalledServerClient,
    private readonly processEvents: ProcessEventsService,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.processEvents.started.subscribe(({ serverId }) => this.forget(serverId));
    this.processEvents.listChanged.subscribe(({ serverId }) => this.forget(serverId));
  }

  /** The items that strict clients accept, in the order of the server. Never rejects. */
  of(server: UsedServer, agentId: string, kind: ListKind): Promise<Loose[]> {
    const target = { serverId: server.serverId, scope: scopeOf(server, agentId) };
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

  /** Returns whether the server has, or had when it could last be asked, prompts, or resources and templates of them. */
  async offers(server: UsedServer, agentId: string, list: 'prompts' | 'resources'): Promise<boolean> {
    const kinds: ListKind[] = list === 'prompts' ? ['prompts'] : ['resources', 'templates'];
    for (const kind of kinds)
      if (this.known.has(`${server.serverId}/${kind}`) || (await this.of(server, agentId, kind)).length > 0)
        return true;
    return false;
  }

  private forget(serverId: string): void {
    for (const [key, kept] of this.kept) if (kept.serverId === serverId) this.kept.delete(key);
  }

  private async read(target: CallTarget, kind: ListKind, caller: string): Promise<Loose[]> {
    const { method, member } = LIST_METHODS[kind];
    // The list is kept for all agents of the process.
    const options = { caller, isForAll: true, signal: AbortSignal.timeout(PATIENCE_MS) };
    const items: Loose[] = [];
    let cursor: unknown;
    let left = this.settings.limits.mcpListMaxBytes;
    for (let page = 0; page < MOST_PAGES && items.length < MOST_ITEMS; page += 1) {
      const result = await this.servers.call(target, method, cursor === undefined ? {} : { cursor }, options);
      const given = result[member];
      const listed = offersOf(kind, Array.isArray(given) ? given : []);
      const fitting = listed.filter((item) => (left -= Buffer.byteLength(JSON.stringify(item))) >= 0);
      items.push(...fitting);
      if (fitting.length < listed.length) break;
      if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break;
      cursor = result.nextCursor;
    }
    this.note(`${target.serverId}/${kind}`, items.length > 0);
    return items.slice(0, MOST_ITEMS);
  }

  private note(list: string, hasItems: boolean): void {
    if (hasItems) this.known.add(list);
    else this.known.delete(list);
    if (this.known.size > MOST_KEPT) this.known.clear();
  }
}

type Loose = Record<string, unknown>;

/** The resources of an agent's servers, as `awp+<slug>:<uri>`. */
@Injectable()
export class ResourcesService {
  constructor(
    private readonly access: ToolAccessService,
    private readonly lists: ServerListsService,
    private readonly requests: ServerRequestsService,
  ) {}

  async list(agent: AgentPrincipal): Promise<Loose> {
    return { resources: await this.gather(agent, 'resources', 'uri') };
  }

  async templates(agent: AgentPrincipal): Promise<Loose> {
    return { resourceTemplates: await this.gather(agent, 'templates', 'uriTemplate') };
  }

  async read(agent: AgentPrincipal, params: Loose, exchange: Exchange): Promise<Loose> {
    const { server, uri } = await this.find(agent, params.uri);
    const result = await this.requests.pass(agent, server, 'resources/read', { ...params, uri }, exchange);
    return Array.isArray(result.contents)
      ? { ...result, contents: addressed(server.slug, result.contents as Loose[], 'uri') }
      : result;
  }

  /** @throws {ProtocolError} where the address leads to no server that the agent can use */
  async find(agent: AgentPrincipal, address: unknown): Promise<{ server: CalledServer; uri: string }> {
    const parts = partsOfAddress(address);
    if (!parts)
      throw notYours(
        address,
        'Resources are addressed as awp+<server>:<its own URI>, like resources/list gives them.',
      );
    return { server: await this.requests.serverOf(agent, parts.slug, String(address)), uri: parts.uri };
  }

  private async gather(
    agent: AgentPrincipal,
    kind: 'resources' | 'templates',
    member: 'uri' | 'uriTemplate',
  ): Promise<Loose[]> {
    const servers = mayUseServers(agent) ? await this.access.wholeServers(agent.id) : [];
    const lists = await Promise.all(
      servers.map(async (server) =>
        addressed(server.slug, await this.lists.of(server, agent.id, kind), member),
      ),
    );
    return lists.flat();
  }
}

/** The prompts of an agent's servers, as `<slug>__<prompt>`. */
@Injectable()
export class PromptsService {
  constructor(
    private readonly access: ToolAccessService,
    private readonly lists: ServerListsService,
    private readonly requests: ServerRequestsService,
  ) {}

  async list(agent: AgentPrincipal): Promise<Loose> {
    const servers = mayUseServers(agent) ? await this.access.wholeServers(agent.id) : [];
    const lists = await Promise.all(
      servers.map(async (server) => {
        const prompts = await this.lists.of(server, agent.id, 'prompts');
        const names = advertisedNames(
          server.slug,
          prompts.map(({ name }) => String(name)),
        );
        return prompts.map((prompt, at) => ({ ...prompt, name: names[at] }));
      }),
    );
    return { prompts: lists.flat() };
  }

  async get(agent: AgentPrincipal, params: Loose, exchange: Exchange): Promise<Loose> {
    const { server, name } = await this.find(agent, params.name);
    const prompt = await this.requests.pass(agent, server, 'prompts/get', { ...params, name }, exchange);
    return withAddressesInMessages(server.slug, prompt);
  }

  /** @throws {ProtocolError} when the name belongs to no server that the agent can use */
  async find(agent: AgentPrincipal, advertised: unknown): Promise<{ server: CalledServer; name: string }> {
    const parts = partsOf(advertised);
    if (!parts) throw notYours(advertised);
    const server = await this.requests.serverOf(agent, parts.slug, String(advertised));
    if (!parts.mayBeChanged) return { server, name: parts.name };
    const prompts = await this.lists.of(server, agent.id, 'prompts');
    const names = prompts.map(({ name }) => String(name));
    return { server, name: originalOf(String(advertised), parts.slug, names) ?? parts.name };
  }
}

/** Completes arguments of prompts and resource templates by a request to their server. */
@Injectable()
export class CompletionsService {
  constructor(
    private readonly prompts: PromptsService,
    private readonly resources: ResourcesService,
    private readonly requests: ServerRequestsService,
  ) {}

  async complete(agent: AgentPrincipal, params: Loose, exchange: Exchange): Promise<Loose> {
    const ref = (params.ref ?? {}) as Loose;
    const { server, own } = await this.find(agent, ref);
    return this.requests.pass(agent, server, 'completion/complete', { ...params, ref: own }, exchange);
  }

  private async find(agent: AgentPrincipal, ref: Loose) {
    if (ref.type === 'ref/prompt') {
      const { server, name } = await this.prompts.find(agent, ref.name);
      return { server, own: { ...ref, name } };
    }
    if (ref.type !== 'ref/resource')
      throw notYours(ref.type, 'A completion refers to ref/prompt or ref/resource.');
    const { server, uri } = await this.resources.find(agent, ref.uri);
    return { server, own: { ...ref, uri } };
  }
}
