import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Database } from '../../platform/database/database.js';
import type { Fault } from '../../platform/http/problem.js';

/** What a body says about who and what an issue belongs to; left out is not checked. */
export interface IssueRelations {
  assignedAgentId?: string | null;
  assigneeUserId?: string | null;
  goalId?: string | null;
}

interface Found {
  agent: boolean;
  agentSees: boolean;
  user: boolean;
  userSees: boolean;
  goal: boolean;
}

/** Checks in one statement that those whom a body names are there and can see the project. */
@Injectable()
export class IssuePeople {
  constructor(private readonly database: Database) {}

  async faultsOf(projectId: string, named: IssueRelations): Promise<Fault[]> {
    const ids = [named.assignedAgentId, named.assigneeUserId, named.goalId].map((id) => id ?? null);
    if (ids.every((id) => id === null)) return [];
    const found = await this.database.row<Found>(FIND, [
      projectId,
      ...ids.map((id) => (id !== null && isUuid(id) ? id : null)),
    ]);
    const faults: Fault[] = [];
    if (named.assignedAgentId && !found!.agent)
      faults.push({ path: 'assignedAgentId', message: 'names no agent' });
    else if (named.assignedAgentId && !found!.agentSees)
      faults.push({
        path: 'assignedAgentId',
        message: 'names an agent that cannot see this members-only project; make it a member first',
      });
    if (named.assigneeUserId && !found!.user)
      faults.push({ path: 'assigneeUserId', message: 'names no user' });
    else if (named.assigneeUserId && !found!.userSees)
      faults.push({
        path: 'assigneeUserId',
        message: 'names a user who cannot see this members-only project; make them a member first',
      });
    if (named.goalId && !found!.goal)
      faults.push({ path: 'goalId', message: 'names no goal of this project' });
    return faults;
  }
}

const FIND = `
  SELECT EXISTS (SELECT 1 FROM agents WHERE id = $2 AND retired_at IS NULL) AS agent,
         p.visibility = 'open' OR EXISTS (SELECT 1 FROM project_members WHERE project_id = p.id AND agent_id = $2) AS "agentSees",
         EXISTS (SELECT 1 FROM users WHERE id = $3 AND disabled_at IS NULL) AS "user",
         p.visibility = 'open' OR EXISTS (SELECT 1 FROM users WHERE id = $3 AND role IN ('Admin', 'Owner'))
           OR EXISTS (SELECT 1 FROM project_members WHERE project_id = p.id AND user_id = $3) AS "userSees",
         EXISTS (SELECT 1 FROM goals WHERE id = $4 AND project_id = p.id) AS goal
  FROM projects p WHERE p.id = $1`;
