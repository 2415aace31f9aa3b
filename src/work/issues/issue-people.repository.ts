import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { seenByAgent, seenByUser } from '../projects/visibility.js';

/** Whether an agent, a user and a goal can belong to an issue of one project. */
export interface FoundPeople {
  agent: boolean;
  agentSees: boolean;
  user: boolean;
  userSees: boolean;
  goal: boolean;
}

const FIND = `
  SELECT EXISTS (SELECT 1 FROM agents WHERE id = $2 AND retired_at IS NULL) AS agent,
         ${seenByAgent('p', '$2')} AS "agentSees",
         EXISTS (SELECT 1 FROM users WHERE id = $3 AND disabled_at IS NULL) AS "user",
         ${seenByUser('p', '$3')} AS "userSees",
         EXISTS (SELECT 1 FROM goals WHERE id = $4 AND project_id = p.id) AS goal
  FROM projects p WHERE p.id = $1`;

@Injectable()
export class IssuePeopleRepository {
  constructor(private readonly database: DatabaseService) {}

  /** @param ids of an agent, a user and a goal; null finds nothing. Returns null when the project has been deleted. */
  find(projectId: string, ids: [string | null, string | null, string | null]): Promise<FoundPeople | null> {
    return this.database.row<FoundPeople>(FIND, [projectId, ...ids]);
  }
}
