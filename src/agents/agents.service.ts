import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import type { Principal } from '../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../platform/database/transactions.service.js';
import { NotFound } from '../platform/http/problem.js';
import { JournalService } from '../platform/journal/journal.service.js';
import { ApiKeysService } from '../platform/users/api-keys.service.js';
import { Agent, AgentHalt, type Halt } from './agent.entity.js';
import { AgentRepository, type AgentRow, type SeenAgentRow } from './agent.repository.js';
import type { CreateAgentRequest, UpdateAgentRequest } from './agent.dto.js';

/** Manages the register of agents (contract §4). */
@Injectable()
export class AgentsService {
  constructor(
    @InjectRepository(Agent) private readonly agents: AgentRepository,
    private readonly keys: ApiKeysService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  list(caller: Principal): Promise<SeenAgentRow[]> {
    return this.agents.list(caller);
  }

  /** @param reference an id, or `me` for the calling agent. @throws {NotFound} */
  async get(caller: Principal, reference: string): Promise<SeenAgentRow> {
    const id = reference === 'me' && caller.type === 'agent' ? caller.id : reference;
    const agent = isUuid(id) ? await this.agents.findFor(caller, id) : null;
    if (!agent) throw new NotFound();
    return agent;
  }

  /** Creates the agent with its first key. */
  create(request: CreateAgentRequest): Promise<{ agent: SeenAgentRow; key: string }> {
    return this.transactions.run(async () => {
      const id = uuidv7();
      const { name, description = '', maxConcurrentIssues = 10, toolsRequireLease = false } = request;
      await this.agents.insert({ id, name, description, maxConcurrentIssues, toolsRequireLease });
      await this.journal.record({ type: 'agent.created', subject: { type: 'agent', id }, data: { name } });
      const { key } = await this.keys.create({ agentId: id }, { name: 'first key' });
      return { agent: (await this.agents.findById(id))!, key };
    });
  }

  update(id: string, request: UpdateAgentRequest): Promise<SeenAgentRow> {
    return this.transactions.run(async () => {
      const before = await this.lock(id);
      await this.agents.update({ id: before.id }, { ...request, updatedAt: () => 'now()' });
      const after = (await this.agents.findById(before.id))!;
      const data = differences(before, after);
      if (Object.keys(data).length > 0)
        await this.journal.record({ type: 'agent.updated', subject: { type: 'agent', id: after.id }, data });
      return after;
    });
  }

  /** Retires the agent: its keys, grants, memberships and leases end; its name and assignments stay (contract §4.2). */
  async delete(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const agent = await this.lock(id);
      await this.keys.deleteAllOf({ agentId: agent.id });
      await this.agents.retire(agent.id);
      await this.journal.record({
        type: 'agent.deleted',
        subject: { type: 'agent', id: agent.id },
        data: { name: agent.name },
      });
    });
  }

  private async lock(id: string): Promise<SeenAgentRow> {
    const agent = isUuid(id) ? await this.agents.lock(id) : null;
    if (!agent) throw new NotFound();
    return agent;
  }
}

function differences(before: AgentRow, after: AgentRow): Record<string, { old: unknown; new: unknown }> {
  const fields = ['name', 'description', 'maxConcurrentIssues', 'disabled', 'toolsRequireLease'] as const;
  const changed = fields.filter((field) => before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [field, { old: before[field], new: after[field] }]));
}

/** The halt is the one row of its table. */
const ONLY_ROW = { onlyRow: true };

/** Stops all agents at once: while they are halted, no agent is given work or tools (contract §4). */
@Injectable()
export class HaltService {
  constructor(
    @InjectRepository(AgentHalt) private readonly halts: Repository<AgentHalt>,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  get(): Promise<Halt> {
    return this.halts.findOneByOrFail(ONLY_ROW);
  }

  /** @param given is kept only while agents are halted */
  set(halted: boolean, given: string | null): Promise<Halt> {
    const reason = halted ? given : null;
    return this.transactions.run(async () => {
      await this.halts.update(ONLY_ROW, { halted, reason, changedAt: () => 'now()' });
      await this.journal.record({
        type: halted ? 'agent.halted' : 'agent.unhalted',
        subject: { type: 'agent', id: null },
        data: halted ? { reason } : {},
      });
      return { halted, reason };
    });
  }
}
