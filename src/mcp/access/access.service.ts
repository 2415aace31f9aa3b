import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { validate as isUuid } from 'uuid';
import { AgentRepository } from '../../agents/agent.repository.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import { ServerAccess } from './access.entities.js';
import { type AccessEntry, type AccessPair, entryErrors, pairErrors } from './access-entry-rules.js';
import {
  type AccessChange,
  type AccessRow,
  ServerAccessRepository,
  type ServerNames,
} from './server-grants.repository.js';

/**
 * Reads and changes which agents may use which servers, from either side (contract §3.4). A change merges: agents and
 * servers that it does not name keep their access. All entries apply or none.
 */
@Injectable()
export class AccessService {
  constructor(
    @InjectRepository(ServerAccess) private readonly access: ServerAccessRepository,
    private readonly servers: InstalledServerRepository,
    private readonly agents: AgentRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async ofServer(serverId: string): Promise<AccessRow[]> {
    if (!(await this.servers.findById(serverId))) throw new NotFound();
    return this.access.ofServer(serverId);
  }

  async ofAgent(agentId: string): Promise<AccessRow[]> {
    if (!isUuid(agentId) || !(await this.agents.findById(agentId))) throw new NotFound();
    return this.access.ofAgent(agentId);
  }

  /** @param entries with the ids of agents */
  setOfServer(serverId: string, entries: AccessEntry[]): Promise<AccessRow[]> {
    return this.transactions.run(async () => {
      if (!isUuid(serverId)) throw new NotFound();
      const agents = await this.access.holdAgents(idsOf(entries));
      const servers = await this.access.holdServers([serverId]);
      if (!servers.has(serverId)) throw new NotFound();
      throwIfAny(
        entryErrors(
          'agentId',
          entries,
          (id) => agents.has(id),
          () => servers.get(serverId),
        ),
      );
      await this.access.apply(
        entries.map(({ id, ...change }) => changeOf({ agentId: id, serverId, ...change }, servers)),
      );
      await this.record(
        serverId,
        entries.map(({ id, ...change }) => ({ agentId: id, ...change })),
      );
      return this.access.ofServer(serverId);
    });
  }

  /** @param entries with the ids of servers */
  setOfAgent(agentId: string, entries: AccessEntry[]): Promise<AccessRow[]> {
    return this.transactions.run(async () => {
      if (!isUuid(agentId) || !(await this.access.holdAgents([agentId])).has(agentId)) throw new NotFound();
      const servers = await this.access.holdServers(idsOf(entries));
      throwIfAny(
        entryErrors(
          'serverId',
          entries,
          (id) => servers.has(id),
          (id) => servers.get(id),
        ),
      );
      await this.access.apply(
        entries.map(({ id, ...change }) => changeOf({ agentId, serverId: id, ...change }, servers)),
      );
      for (const { id, ...change } of entries) await this.record(id, [{ agentId, ...change }]);
      return this.access.ofAgent(agentId);
    });
  }

  async setPairs(entries: AccessPair[]): Promise<void> {
    await this.transactions.run(async () => {
      const agents = await this.access.holdAgents(distinctIds(entries.map(({ agentId }) => agentId)));
      const servers = await this.access.holdServers(distinctIds(entries.map(({ serverId }) => serverId)));
      throwIfAny(pairErrors(entries, (id) => agents.has(id), servers));
      await this.access.apply(entries.map((entry) => changeOf(entry, servers)));
      for (const id of new Set(entries.map(({ serverId }) => serverId)))
        await this.record(id, entries.filter(({ serverId }) => serverId === id).map(withoutServer));
    });
  }

  private async record(serverId: string, entries: object[]): Promise<void> {
    if (entries.length === 0) return;
    await this.journal.record({
      type: 'mcp.access.changed',
      subject: { type: 'server', id: serverId },
      data: { entries },
    });
  }
}

function idsOf(entries: AccessEntry[]): string[] {
  return entries.map(({ id }) => id).filter((id) => isUuid(id));
}

/** Returns the entry with the id of the credential set that it names. */
function changeOf(
  { credentialSet, ...change }: AccessPair,
  servers: ReadonlyMap<string, ServerNames>,
): AccessChange {
  if (credentialSet === undefined) return change;
  return { ...change, credentialSetId: servers.get(change.serverId)?.sets.get(credentialSet) };
}

function withoutServer(pair: AccessPair): Omit<AccessPair, 'serverId'> {
  const { serverId: _, ...change } = pair;
  return change;
}

function distinctIds(ids: string[]): string[] {
  return [...new Set(ids)].filter((id) => isUuid(id));
}

function throwIfAny(errors: { path: string; message: string }[]): void {
  if (errors.length > 0) throw new ValidationFailed(errors);
}
