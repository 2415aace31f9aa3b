import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { type FieldError, NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import { seenByAgent, seenByUser } from '../projects/visibility.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import type { SeenProject } from '../projects/projects-members-and-graph-lock.repository.js';
import type { CreateIssueRequest } from './issue.request.js';

/** Which of the named agents, users and goals exist, and which of them see the project. All are ids in lower case. */
interface FoundPeople {
  agents: string[];
  agentsWhoSee: string[];
  users: string[];
  usersWhoSee: string[];
  goals: string[];
}

/** The ids of agents, users and goals that a request names. */
type NamedIds = Record<'agents' | 'users' | 'goals', string[]>;

const FIND = `
  SELECT ARRAY(SELECT id FROM agents WHERE id = ANY($2::uuid[]) AND retired_at IS NULL) AS agents,
         ARRAY(SELECT named.id FROM unnest($2::uuid[]) AS named(id) WHERE ${seenByAgent('p', 'named.id')}) AS "agentsWhoSee",
         ARRAY(SELECT id FROM users WHERE id = ANY($3::uuid[]) AND disabled_at IS NULL) AS users,
         ARRAY(SELECT named.id FROM unnest($3::uuid[]) AS named(id) WHERE ${seenByUser('p', 'named.id')}) AS "usersWhoSee",
         ARRAY(SELECT id FROM goals WHERE id = ANY($4::uuid[]) AND project_id = p.id) AS goals
  FROM projects p WHERE p.id = $1`;

@Injectable()
export class IssuePeopleRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: five tables in one statement, whatever the number of ids. Returns null when the project has been deleted. */
  async find(projectId: string, { agents, users, goals }: NamedIds): Promise<FoundPeople | null> {
    const [row] = await this.source.query<FoundPeople[]>(FIND, [projectId, agents, users, goals]);
    return row ?? null;
  }

  /** SQL: a lock that other issues of the goal may have too. Returns the goals that exist, which the transaction keeps. */
  async keepGoals(projectId: string, ids: string[]): Promise<string[]> {
    const rows = await this.source.query<{ id: string }[]>(
      `SELECT id FROM goals WHERE id = ANY($2::uuid[]) AND project_id = $1 ORDER BY id FOR KEY SHARE`,
      [projectId, ids],
    );
    return rows.map(({ id }) => id);
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
    return this.errorsAt(projectId, [{ place: '', named }]);
  }

  /** Checks what several issues of one request name, in one statement. @param several each with what its paths begin with */
  async errorsAt(
    projectId: string,
    several: readonly { place: string; named: NamedPeople }[],
  ): Promise<FieldError[]> {
    const ids: NamedIds = {
      agents: uuidsAmong(several.map(({ named }) => named.assignedAgentId)),
      users: uuidsAmong(several.map(({ named }) => named.assigneeUserId)),
      goals: uuidsAmong(several.map(({ named }) => named.goalId)),
    };
    const isNamed = ({ named }: { named: NamedPeople }) =>
      named.assignedAgentId || named.assigneeUserId || named.goalId;
    if (!several.some(isNamed)) return [];
    const found = await this.people.find(projectId, ids);
    if (!found) throw new NotFound();
    const errorsIn = errorsAmong(found);
    return several.flatMap(({ place, named }) =>
      errorsIn(named).map(({ path, message }) => ({ path: place + path, message })),
    );
  }

  /**
   * Keeps the goals that issues name until the transaction ends: a goal that is deleted meanwhile would fail the write of all
   * of them, without their places.
   * @throws {ValidationFailed} for goals that have been deleted since they were checked
   */
  async keepGoals(
    projectId: string,
    several: readonly { place: string; named: NamedPeople }[],
  ): Promise<void> {
    const ids = uuidsAmong(several.map(({ named }) => named.goalId));
    if (ids.length === 0) return;
    const kept = new Set(await this.people.keepGoals(projectId, ids));
    const errors = several.flatMap(({ place, named: { goalId } }) =>
      goalId && !kept.has(goalId.toLowerCase()) ? [{ ...NO_SUCH_GOAL, path: place + NO_SUCH_GOAL.path }] : [],
    );
    if (errors.length > 0) throw new ValidationFailed(errors);
  }
}

/** Returns what finds the errors of one issue among what was found for all. */
function errorsAmong(found: FoundPeople): (named: NamedPeople) => FieldError[] {
  const [agents, agentsWhoSee] = [new Set(found.agents), new Set(found.agentsWhoSee)];
  const [users, usersWhoSee] = [new Set(found.users), new Set(found.usersWhoSee)];
  const goals = new Set(found.goals);
  const has = (ids: Set<string>, id: string) => ids.has(id.toLowerCase());
  return ({ assignedAgentId: agentId, assigneeUserId: userId, goalId, asAssignee }) => {
    const errors: FieldError[] = [];
    const agentPath = asAssignee === 'agent' ? 'assignee.id' : 'assignedAgentId';
    const userPath = asAssignee === 'user' ? 'assignee.id' : 'assigneeUserId';
    if (agentId && !has(agents, agentId)) errors.push({ path: agentPath, message: 'names no agent' });
    else if (agentId && !has(agentsWhoSee, agentId))
      errors.push({
        path: agentPath,
        message: 'names an agent that cannot see this members-only project; make it a member first',
      });
    if (userId && !has(users, userId)) errors.push({ path: userPath, message: 'names no user' });
    else if (userId && !has(usersWhoSee, userId))
      errors.push({
        path: userPath,
        message: 'names a user who cannot see this members-only project; make them a member first',
      });
    if (goalId && !has(goals, goalId)) errors.push(NO_SUCH_GOAL);
    return errors;
  };
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
  project: SeenProject,
  named: Pick<CreateIssueRequest, 'assignedAgentId'>,
): void {
  if (isRefusedAssignment(caller, project, named)) throw new AssignmentRefused();
}

/** Whether an agent assigns an issue to another one in a project that does not let it. */
export function isRefusedAssignment(
  caller: Principal,
  { agentsMayAssign }: SeenProject,
  { assignedAgentId }: Pick<CreateIssueRequest, 'assignedAgentId'>,
): boolean {
  if (caller.type !== 'agent' || agentsMayAssign === 'any' || !assignedAgentId) return false;
  return assignedAgentId.toLowerCase() !== caller.id;
}

/** 403: the project lets agents assign issues to themselves only. */
export class AssignmentRefused extends Problem {
  /** @param errors the places of a request with several issues */
  constructor(errors?: FieldError[]) {
    super(
      'assignment_refused',
      'In this project agents assign issues to themselves only. Create the issue without an assignee; a person assigns it.',
      { errors },
    );
  }
}

/** Returns each id once. One that is not a UUID names nothing. */
function uuidsAmong(ids: readonly (string | null | undefined)[]): string[] {
  return [...new Set(ids.flatMap((id) => (id && isUuid(id) ? [id.toLowerCase()] : [])))];
}
