import { Injectable } from '@nestjs/common';
import { AgentsService } from '../../../agents/agents.service.js';
import type { Principal } from '../../../platform/auth/principal.js';
import type { AgentWorkResponse } from '../dto/agent-work.response.js';
import { IssueListsService } from '../list/issue-lists.service.js';
import { AgentWorkRepository } from './agent-work.repository.js';

/** Shows what an agent works on, and what it gets next (contract §4.2). */
@Injectable()
export class AgentWorkService {
  constructor(
    private readonly agents: AgentsService,
    private readonly work: AgentWorkRepository,
    private readonly lists: IssueListsService,
  ) {}

  async of(caller: Principal, reference: string, limit: number): Promise<AgentWorkResponse> {
    const { id } = await this.agents.get(caller, reference);
    const [running, next] = [
      await this.work.running(caller, id, limit),
      await this.work.next(caller, id, limit),
    ];
    return {
      running: await this.lists.explained(caller, running),
      next: await this.lists.explained(caller, next),
    };
  }
}
