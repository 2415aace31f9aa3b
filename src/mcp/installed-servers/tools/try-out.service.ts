import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/auth/principal.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { NotFound } from '../../../platform/http/problem.js';
import { Journal } from '../../../platform/journal/journal.js';
import type { ServerStatus } from '../installed-server.entity.js';
import { InstalledServersRepository, type InstalledServerRow } from '../installed-servers.repository.js';
import { scopeOf } from '../running/scope.js';
import { ServerCalls } from '../running/server-calls.js';
import { shapeOf } from './argument-shape.js';
import { ServerToolsRepository } from './server-tools.repository.js';
import { ToolCallsRepository } from './tool-calls.repository.js';
import { endOf, errorResult, type CallEnd } from './tool-result.js';

/** An Admin's call of a tool, to see what it does: also of one that no agent is given yet (spec §3.3). */
@Injectable()
export class TryOutService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly tools: ServerToolsRepository,
    private readonly calls: ServerCalls,
    private readonly records: ToolCallsRepository,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @returns the tool's result; a server that is off or does not answer is a result with `isError` too */
  async call(
    caller: Principal,
    serverId: string,
    tool: string,
    given: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const server = await this.serverOf(serverId, tool);
    const calledAt = new Date();
    const startedAt = performance.now();
    const { result, ended } = await this.endOf(caller, server, tool, given);
    await this.transactions.run(async () => {
      const durationMs = Math.round(performance.now() - startedAt);
      const facts = { tool, argumentShape: shapeOf(given), result: ended, durationMs };
      await this.records.insert([
        {
          ...facts,
          calledAt,
          userId: caller.id,
          agentId: null,
          issueId: null,
          serverId: server.id,
          serverName: server.name,
        },
      ]);
      await this.journal.record({
        type: 'mcp.tool.called',
        subject: { type: 'server', id: server.id },
        data: facts,
      });
    });
    return result;
  }

  /** Before the first listing nobody knows which tools there are: the server will say. */
  private async serverOf(serverId: string, tool: string): Promise<InstalledServerRow> {
    const server = await this.servers.findById(serverId);
    if (!server) throw new NotFound();
    const known = await this.tools.list(server.id);
    if (server.toolsListedAt && !known.some(({ name, present }) => name === tool && present))
      throw new NotFound();
    return server;
  }

  private async endOf(
    caller: Principal,
    server: InstalledServerRow,
    tool: string,
    given: Record<string, unknown>,
  ): Promise<CallEnd> {
    if (server.status !== 'enabled') return { result: errorResult(OFF[server.status]), ended: 'refused' };
    const scope = scopeOf(server.entry.manifest.sharing, caller.id);
    return endOf(
      this.calls.call({ serverId: server.id, scope }, 'tools/call', { name: tool, arguments: given }),
    );
  }
}

const OFF: Record<Exclude<ServerStatus, 'enabled'>, string> = {
  disabled: 'The server is disabled. Enable it first.',
  error: 'The server is in error. Verify it, or enable it, first.',
};
