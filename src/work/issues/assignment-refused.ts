import type { Principal } from '../../platform/auth/principal.js';
import { Problem } from '../../platform/http/problem/problem.js';
import type { SeenProject } from '../projects/projects.repository.js';
import type { CreateIssueRequest } from './dto/create-issue.request.js';

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
