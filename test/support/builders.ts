import { randomBytes } from 'node:crypto';
import type { NewAgentResponse } from '../../src/agents/agent.dto.js';
import type { IssueResponse } from '../../src/work/issue-reading/issue.response.js';
import type { LabelResponse } from '../../src/work/labels/label.dto.js';
import type { LinkResponse } from '../../src/work/links/link.dto.js';
import type { ProjectResponse } from '../../src/work/projects/project-and-member.dto.js';
import type { ViewResponse } from '../../src/work/views/view.dto.js';
import type { ScheduleResponse } from '../../src/work/schedules/schedule.dto.js';
import type { Caller } from './caller.js';
import type { Loose, Wire } from './wire.js';

export type Project = Wire<ProjectResponse>;
export type Issue = Wire<IssueResponse>;
export type Label = Wire<LabelResponse>;
export type View = Wire<ViewResponse>;
export type Schedule = Wire<ScheduleResponse>;
export type Link = Wire<LinkResponse>;
export type NewAgent = Wire<NewAgentResponse>;

type Fields = Record<string, unknown>;
type Identified = { id: string };

export const aProject = (caller: Caller, fields: Fields = {}) =>
  createdBy<Project>(caller, '/api/projects', { key: someKey(), name: someName('project'), ...fields });

export const anIssue = (caller: Caller, project: Identified, fields: Fields = {}) =>
  createdBy<Issue>(caller, `/api/projects/${project.id}/issues`, { title: someName('issue'), ...fields });

export const anAgent = (owner: Caller, fields: Fields = {}) =>
  createdBy<NewAgent>(owner, '/api/agents', { name: someName('agent'), ...fields });

export const aGoal = (caller: Caller, project: Identified, fields: Fields = {}) =>
  createdBy<Loose & Identified>(caller, `/api/projects/${project.id}/goals`, {
    title: someName('goal'),
    ...fields,
  });

export const aLabel = (caller: Caller, project: Identified, fields: Fields = {}) =>
  createdBy<Label>(caller, `/api/projects/${project.id}/labels`, { name: someName('label'), ...fields });

export const aView = (caller: Caller, project: Identified, fields: Fields = {}) =>
  createdBy<View>(caller, `/api/projects/${project.id}/views`, {
    ...{ name: someName('view'), query: 'priority=urgent' },
    ...fields,
  });

/** Creates a schedule that is due once a year. */
export const aSchedule = (caller: Caller, project: Identified, fields: Fields = {}) =>
  createdBy<Schedule>(caller, `/api/projects/${project.id}/schedules`, {
    name: someName('schedule'),
    cron: '0 0 1 1 *',
    template: { title: 'Issue {{number}}' },
    ...fields,
  });

/** Creates a link in the direction `aLink(caller, a, b)`: `a` blocks `b`. */
export const aLink = (caller: Caller, issue: Identified, target: Identified, linkType = 'Blocks') =>
  createdBy<Link>(caller, `/api/projects/issues/${issue.id}/links`, { targetIssueId: target.id, linkType });

export const aComment = (caller: Caller, issue: Identified, content = someName('comment')) =>
  createdBy<Loose & Identified>(caller, `/api/projects/issues/${issue.id}/comments`, { content });

/** Returns what a POST created. @throws {Error} with the whole response when its status is not 201 */
export async function createdBy<Body>(caller: Caller, path: string, body: unknown): Promise<Body> {
  const answer = await caller.post<Body>(path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} gave ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** Returns a unique name. */
export function someName(kind: string): string {
  return `${kind} ${randomBytes(5).toString('hex')}`;
}

/** Returns a unique project key. */
export function someKey(): string {
  return `P${randomBytes(4).toString('hex').toUpperCase()}`;
}
