import { expect } from '@jest/globals';
import { aGoal, aLink, anAgent, anIssue, type Issue, type Project } from '../../../support/builders.js';
import type { Answer, Caller } from '../../../support/caller.js';
import type { Service } from '../../../support/service.js';
import type { Loose } from '../../../support/wire.js';

type Identified = { id: string };
type Headers = Record<string, string>;
export type Status = Issue['status'];
export const STATUSES: Status[] = [
  'Open',
  'InProgress',
  'WaitingOnDependency',
  'PendingReview',
  'Resolved',
  'Closed',
];

export const pathOf = (issue: Identified) => `/api/projects/issues/${issue.id}`;

/** The issue as it is now. */
export async function read(caller: Caller, issue: Identified): Promise<Issue> {
  const answer = await caller.get<Issue>(pathOf(issue));
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

export const put = (
  caller: Caller,
  issue: Identified,
  fields: Record<string, unknown>,
  headers: Headers = {},
) => caller.put(pathOf(issue), fields, { headers });

/** `action`: `close`, `close?force=true`, `pause`, `resume`. */
export const act = (caller: Caller, issue: Identified, action: string, headers: Headers = {}) =>
  caller.post(`${pathOf(issue)}/${action}`, undefined, { headers });

export const remove = (caller: Caller, issue: Identified, headers: Headers = {}) =>
  caller.delete(`${pathOf(issue)}?confirm=true`, { headers });

export const link = (caller: Caller, issue: Identified, linkType: string, target: Identified) =>
  caller.post(`${pathOf(issue)}/links`, { targetIssueId: target.id, linkType });

/** The same, where it must succeed. */
export async function must(answer: Promise<Answer<unknown>>): Promise<Loose> {
  const { status, body, text } = (await answer) as Answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return body;
}

/** That a request was refused with this status and code; gives the refusal. */
export async function refused(
  answer: Promise<Answer<unknown>>,
  status: number,
  code: string,
): Promise<Loose> {
  const { status: given, body } = (await answer) as Answer;
  expect({ status: given, code: body?.['code'] }).toEqual({ status, code });
  return body;
}

/** That a body or query was refused, naming just these paths. */
export async function refusedPaths(answer: Promise<Answer<unknown>>, ...paths: string[]): Promise<void> {
  const { errors } = (await refused(answer, 400, 'validation_failed')) as unknown as {
    errors: { path: string }[];
  };
  expect([...new Set(errors.map(({ path }) => path))].toSorted()).toEqual(paths.toSorted());
}

/** An issue brought to a status the way people bring it there. */
export async function anIssueIn(
  caller: Caller,
  project: Project,
  status: Status | 'paused',
  fields = {},
): Promise<Issue> {
  if (status === 'WaitingOnDependency')
    return anIssue(caller, project, { blockedByIssueId: (await anIssue(caller, project)).id, ...fields });
  const issue = await anIssue(caller, project, fields);
  for (const step of WAY_TO[status])
    await must(
      step === 'pause' || step === 'close' ? act(caller, issue, step) : put(caller, issue, { status: step }),
    );
  return read(caller, issue);
}

const WAY_TO: Record<Exclude<Status, 'WaitingOnDependency'> | 'paused', string[]> = {
  Open: [],
  InProgress: ['InProgress'],
  PendingReview: ['InProgress', 'PendingReview'],
  Resolved: ['Resolved'],
  Closed: ['close'],
  paused: ['InProgress', 'pause'],
};

/** An issue that has everything an issue can have. */
export async function anIssueWithAll(caller: Caller, { owner }: Service, project: Project): Promise<Issue> {
  const [agent, goal] = [await anAgent(owner), await aGoal(caller, project)];
  const fields = {
    description: 'Brief',
    assignedAgentId: agent.id,
    assigneeUserId: caller.id,
    goalId: goal.id,
    priority: 'low',
  };
  const issue = await anIssue(caller, project, fields);
  await aLink(caller, issue, await anIssue(caller, project));
  return read(caller, issue);
}
