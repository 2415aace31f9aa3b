import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { AgentsRepository } from '../../agents/agents.repository.js';
import { Transactions } from '../../platform/database/transactions.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { Journal } from '../../platform/journal/journal.js';
import { InstalledServersRepository } from '../installed-servers/installed-servers.repository.js';
import { faultsOfEntries, type Entry } from './access-faults.js';
import { AccessRepository, type AccessRow } from './access.repository.js';

/**
 * Who may use which server, from either side (spec §3.4). A change merges: who is not named keeps what they have;
 * all entries apply or none.
 */
@Injectable()
export class AccessService {
  constructor(
    private readonly access: AccessRepository,
    private readonly servers: InstalledServersRepository,
    private readonly agents: AgentsRepository,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  async ofServer(serverId: string): Promise<AccessRow[]> {
    if (!(await this.servers.findById(serverId))) throw new NotFound();
    return this.access.ofServer(serverId);
  }

  async ofAgent(agentId: string): Promise<AccessRow[]> {
    if (!isUuid(agentId) || !(await this.agents.findById(agentId))) throw new NotFound();
    return this.access.ofAgent(agentId);
  }

  /** @param entries `id` is an agent's */
  setOfServer(serverId: string, entries: Entry[]): Promise<AccessRow[]> {
    return this.transactions.run(async () => {
      if (!isUuid(serverId)) throw new NotFound();
      const agents = await this.access.holdAgents(idsOf(entries));
      const tools = await this.access.holdServers([serverId]);
      if (!tools.has(serverId)) throw new NotFound();
      refuse(
        faultsOfEntries(
          'agentId',
          entries,
          (id) => agents.has(id),
          () => tools.get(serverId) ?? null,
        ),
      );
      await this.access.apply(entries.map(({ id, ...change }) => ({ agentId: id, serverId, ...change })));
      await this.tell(
        serverId,
        entries.map(({ id, ...change }) => ({ agentId: id, ...change })),
      );
      return this.access.ofServer(serverId);
    });
  }

  /** @param entries `id` is a server's */
  setOfAgent(agentId: string, entries: Entry[]): Promise<AccessRow[]> {
    return this.transactions.run(async () => {
      if (!isUuid(agentId) || !(await this.access.holdAgents([agentId])).has(agentId)) throw new NotFound();
      const tools = await this.access.holdServers(idsOf(entries));
      refuse(
        faultsOfEntries(
          'serverId',
          entries,
          (id) => tools.has(id),
          (id) => tools.get(id) ?? null,
        ),
      );
      await this.access.apply(entries.map(({ id, ...change }) => ({ agentId, serverId: id, ...change })));
      for (const { id, ...change } of entries) await this.tell(id, [{ agentId, ...change }]);
      return this.access.ofAgent(agentId);
    });
  }

  private async tell(serverId: string, entries: object[]): Promise<void> {
    if (entries.length === 0) return;
    await this.journal.record({
      type: 'mcp.access.changed',
      subject: { type: 'server', id: serverId },
      data: { entries },
    });
  }
}

function idsOf(entries: Entry[]): string[] {
  return entries.map(({ id }) => id).filter((id) => isUuid(id));
}

function refuse(faults: { path: string; message: string }[]): void {
  if (faults.length > 0) throw new ValidationFailed(faults);
}
