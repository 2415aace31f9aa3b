import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import { currentOrigin, JournalService, SYSTEM } from '../../platform/journal/journal.service.js';
import { scopeOf } from '../processes/server-description-and-limits.js';
import { InstalledServerClient } from '../running/installed-server.client.js';
import {
  InstalledServerRepository,
  type InstalledServerRow,
} from '../server-records/installed-server.repository.js';
import { defaultSetOf, type ServerStatus } from '../server-records/server-records.entities.js';
import type { ApproveToolsRequest } from './server-tool.dto.js';
import { isOpen, ServerToolRepository, type ServerToolRow, stateOf } from './server-tool.repository.js';
import {
  contentsOf,
  type EndedCall,
  endOf,
  errorResult,
  resultOf,
  type ToolArguments,
} from './call-arguments-outcomes-reasons.js';
import { ToolCallRepository } from './tool-call-records-and-retention.repository.js';

/** Lists the tools of a server and approves those that changed (contract §3.3). */
@Injectable()
export class ServerToolsService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly tools: ServerToolRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async list(serverId: string): Promise<ServerToolRow[]> {
    if (!(await this.servers.findById(serverId))) throw new NotFound();
    return this.tools.list(serverId);
  }

  /**
   * Approves the named tools, or all, as they are now. Approving a removed tool deletes it.
   * @throws {Problem} 412 `version_mismatch` where a tool has another hash than the caller has read: a server may list
   * another text between the reading and the approval
   */
  approve(serverId: string, { names, hashes }: ApproveToolsRequest): Promise<ServerToolRow[]> {
    return this.transactions.run(async () => {
      if (!(await this.servers.lock(serverId))) throw new NotFound();
      const tools = await this.tools.list(serverId);
      refuseUnknown(names, tools);
      refuseUnread(names ?? [], hashes, tools);
      const open = tools.filter((tool) => isOpen(tool) && (names?.includes(tool.name) ?? true));
      if (open.length === 0) return tools;
      await this.tools.approve(
        serverId,
        open.map(({ name }) => name),
        currentOrigin()?.actor ?? SYSTEM,
      );
      const approved = open.map((tool) => ({ name: tool.name, was: stateOf(tool), hash: tool.hash }));
      await this.journal.record({
        type: 'mcp.tool.approved',
        subject: { type: 'server', id: serverId },
        data: { tools: approved },
      });
      return this.tools.list(serverId);
    });
  }
}

function refuseUnknown(names: string[] | undefined, tools: ServerToolRow[]): void {
  const errors = (names ?? []).flatMap((name, index) => {
    const message = reasonAgainst(tools.find((tool) => tool.name === name));
    return message === null ? [] : [{ path: `names[${index}]`, message }];
  });
  if (errors.length > 0) throw new ValidationFailed(errors);
}

function refuseUnread(names: string[], hashes: string[] | undefined, tools: ServerToolRow[]): void {
  if (!hashes) return;
  if (hashes.length !== names.length)
    throw new ValidationFailed([{ path: 'hashes', message: 'must have one hash for each of names' }]);
  const changed = names.find((name, at) => tools.find((tool) => tool.name === name)?.hash !== hashes[at]);
  if (changed === undefined) return;
  throw new Problem(
    'version_mismatch',
    `The tool ${changed} has changed since you read it; read it again and decide again. No tool was approved.`,
  );
}

function reasonAgainst(tool: ServerToolRow | undefined): string | null {
  if (!tool) return 'is not the name of a tool of this server';
  return stateOf(tool) === 'invalid' ? `cannot be approved, because ${tool.invalidReason}` : null;
}

const NOT_ENABLED: Record<Exclude<ServerStatus, 'enabled'>, string> = {
  disabled: 'The server is disabled. Enable it first.',
  error: 'The server is in error. Verify or enable it first.',
};

/** Calls tools for an Admin who tries them out, including tools that are not yet approved (contract §3.3). */
@Injectable()
export class TryOutService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly tools: ServerToolRepository,
    private readonly calls: InstalledServerClient,
    private readonly records: ToolCallRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** Returns the tool's result; a server that is not enabled or does not respond gives a result with `isError`. */
  async call(
    caller: Principal,
    serverId: string,
    tool: string,
    args: ToolArguments,
  ): Promise<Record<string, unknown>> {
    const server = await this.serverOf(serverId, tool);
    const calledAt = new Date();
    const startedAt = performance.now();
    const { result, outcome, reason } = await this.outcomeOf(caller, server, tool, args);
    await this.transactions.run(async () => {
      const durationMs = Math.round(performance.now() - startedAt);
      const contents = contentsOf(args, result);
      const facts = { tool, argumentShape: contents.argumentShape, outcome, durationMs };
      await this.records.add([
        {
          ...facts,
          ...contents,
          reason,
          calledAt,
          userId: caller.id,
          agentId: null,
          issueId: null,
          leaseToken: null,
          gateId: null,
          serverId: server.id,
          serverName: server.name,
        },
      ]);
      await this.journal.record({
        type: 'mcp.tool.called',
        subject: { type: 'server', id: server.id },
        data: { ...facts, result: resultOf(outcome) },
      });
    });
    return result;
  }

  /** Accepts any tool before the first listing, when the server itself decides. */
  private async serverOf(serverId: string, tool: string): Promise<InstalledServerRow> {
    const server = await this.servers.findById(serverId);
    if (!server) throw new NotFound();
    const known = await this.tools.list(server.id);
    if (server.toolsListedAt && !known.some(({ name, present }) => name === tool && present))
      throw new NotFound();
    return server;
  }

  private async outcomeOf(
    caller: Principal,
    server: InstalledServerRow,
    tool: string,
    args: ToolArguments,
  ): Promise<EndedCall> {
    if (server.status !== 'enabled')
      return {
        result: errorResult(NOT_ENABLED[server.status]),
        outcome: 'refused',
        reason: server.status === 'disabled' ? 'server_disabled' : 'server_error',
      };
    const { sharing } = server.entry.manifest;
    const used = { serverId: server.id, sharing, credentialSetId: defaultSetOf(server.id) };
    const scope = scopeOf(used, caller.id);
    const target = { serverId: server.id, scope };
    const params = { name: tool, arguments: args.value };
    return endOf(this.calls.call(target, 'tools/call', params, { caller: caller.id }));
  }
}
