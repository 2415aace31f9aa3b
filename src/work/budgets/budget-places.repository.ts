import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { UsageScope } from '../../agents/usage/usage-figures.js';
import type { Subject } from '../issues/status/status-changes.service.js';

/** What a gate says about the object of a budget. */
export interface BudgetPlace {
  name: string;
  projectId: string | null;
}

const PLACES: Record<UsageScope, string> = {
  agent: `SELECT name, NULL::uuid AS "projectId" FROM agents WHERE id = $1 AND retired_at IS NULL`,
  project: `SELECT key AS name, id AS "projectId" FROM projects WHERE id = $1`,
  issue: `SELECT p.key || '-' || i.number AS name, i.project_id AS "projectId"
          FROM issues i JOIN projects p ON p.id = i.project_id WHERE i.id = $1`,
};

/** The issues in progress that an agent works on, for the budget of an agent or project. */
const RUNNING: Record<'agent' | 'project', string> = {
  agent: 'i.assigned_agent_id',
  project: 'i.project_id',
};

/** Reads what budgets limit. */
@Injectable()
export class BudgetPlacesRepository {
  constructor(private readonly database: DatabaseService) {}

  find(scope: UsageScope, id: string): Promise<BudgetPlace | null> {
    return this.database.row<BudgetPlace>(PLACES[scope], [id]);
  }

  /** Locks the issues of the agent or project that are in progress, and their leases, in the order of their ids. */
  lockRunning(scope: 'agent' | 'project', id: string): Promise<Subject[]> {
    return this.database.rows<Subject>(
      `SELECT i.id, i.project_id AS "projectId", i.status, i.paused FROM issues i JOIN issue_leases l ON l.issue_id = i.id
       WHERE ${RUNNING[scope]} = $1 AND i.status = 'InProgress' AND i.assigned_agent_id IS NOT NULL
         AND l.expires_at IS NOT NULL
       ORDER BY i.id FOR NO KEY UPDATE OF i, l`,
      [id],
    );
  }

  /** Locks the lease of an issue. A turn holds it when it locks the budgets. */
  async lockLease(issueId: string): Promise<void> {
    await this.database.rows('SELECT 1 FROM issue_leases WHERE issue_id = $1 FOR NO KEY UPDATE', [issueId]);
  }

  /** Returns the agent, and the issues and projects that it works on now. */
  async ofAgent(agentId: string): Promise<string[]> {
    const rows = await this.database.rows<{ id: string; projectId: string }>(
      `SELECT i.id, i.project_id AS "projectId" FROM issue_leases l JOIN issues i ON i.id = l.issue_id
       WHERE l.agent_id = $1 AND l.expires_at > now()`,
      [agentId],
    );
    return [...new Set([agentId, ...rows.flatMap(({ id, projectId }) => [id, projectId])])];
  }
}
