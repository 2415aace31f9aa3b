import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { type FieldError, NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import { seenByAgent, seenByUser } from '../projects/visibility.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import type { SeenProject } from '../projects/project-and-graph-lock.repository.js';
import type { CreateIssueRequest } from './issue.request.js';

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
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** @param ids of an agent, a user and a goal; null finds nothing. Returns null when the project has been deleted. */
  async find(
    projectId: string,
    ids: [string | null, string | null, string | null],
  ): Promise<FoundPeople | null> {
    const [row] = await this.source.query<FoundPeople[]>(FIND, [projectId, ...ids]);
    return row ?? null;
  }
}

/** The assignees and the goal that a body names; an absent field is not checked. */
export interface NamedPeople {
  assignedAgentId?: string | null;
  assigneeUserId?: string | null;
  goalId?: string | null;
  /** Whether the body names the assignee as `assignee`, so that an error names that field. */
  asAssignee?: 'agent' | 'user';
}

const NO_SUCH_GOAL: FieldError = { path: 'goalId', message: 'names no goal of this project' };

/** Checks that the assignees and the goal that a body names exist, and that the assignees see the project. */
@Injectable()
export class IssuePeopleService {
  constructor(private readonly people: IssuePeopleRepository) {}

  async errorsOf(projectId: string, named: NamedPeople): Promise<FieldError[]> {
    const { assignedAgentId: agentId, assigneeUserId: userId, goalId } = named;
    if (!agentId && !userId && !goalId) return [];
    const found = await this.people.find(projectId, [uuidOf(agentId), uuidOf(userId), uuidOf(goalId)]);
    if (!found) throw new NotFound();
    const errors: FieldError[] = [];
    const agentPath = named.asAssignee === 'agent' ? 'assignee.id' : 'assignedAgentId';
    const userPath = named.asAssignee === 'user' ? 'assignee.id' : 'assigneeUserId';
    if (agentId && !found.agent) errors.push({ path: agentPath, message: 'names no agent' });
    else if (agentId && !found.agentSees)
      errors.push({
        path: agentPath,
        message: 'names an agent that cannot see this members-only project; make it a member first',
      });
    if (userId && !found.user) errors.push({ path: userPath, message: 'names no user' });
    else if (userId && !found.userSees)
      errors.push({
        path: userPath,
        message: 'names a user who cannot see this members-only project; make them a member first',
      });
    if (goalId && !found.goal) errors.push(NO_SUCH_GOAL);
    return errors;
  }
}

/**
 * Awaits a write that may name a goal. The goal may have been deleted since it was checked; then the database rejects
 * the write, and the caller gets the error that the check would have given.
 * @throws {ValidationFailed} when the goal has been deleted
 */
export async function refuseRemovedGoal<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (!isForeignKeyViolation(error, 'issues_goal_of_same_project')) throw error;
    throw new ValidationFailed([NO_SUCH_GOAL]);
  }
}

/** An agent that assigns work to another one makes it use what only that one is granted, so a project may refuse it. */
export function refuseAssignment(
  caller: Principal,
  { agentsMayAssign }: SeenProject,
  { assignedAgentId }: CreateIssueRequest,
): void {
  if (caller.type !== 'agent' || agentsMayAssign === 'any' || !assignedAgentId) return;
  if (assignedAgentId.toLowerCase() !== caller.id) throw new AssignmentRefused();
}

/** 403: the project lets agents assign issues to themselves only. */
export class AssignmentRefused extends Problem {
  constructor() {
    super(
      'assignment_refused',
      'In this project agents assign issues to themselves only. Create the issue without an assignee; a person assigns it.',
    );
  }
}

/** An id that is not a UUID names nothing. */
function uuidOf(id: string | null | undefined): string | null {
  return id && isUuid(id) ? id : null;
}
