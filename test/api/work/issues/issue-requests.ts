import { expect } from '@jest/globals';
import { aGoal, aLink, anAgent, anIssue, type Issue, type Project } from '../../../support/builders.js';
import type { Answer } from '../../../support/answer.js';
import type { Caller } from '../../../support/caller.js';
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

/** Reads the issue as it is now. */
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

/** @param action `close`, `close?force=true`, `pause` or `resume` */
export const act = (caller: Caller, issue: Identified, action: string, headers: Headers = {}) =>
  caller.post(`${pathOf(issue)}/${action}`, undefined, { headers });

export const remove = (caller: Caller, issue: Identified, headers: Headers = {}) =>
  caller.delete(`${pathOf(issue)}?confirm=true`, { headers });

export const link = (caller: Caller, issue: Identified, linkType: string, target: Identified) =>
  caller.post(`${pathOf(issue)}/links`, { targetIssueId: target.id, linkType });

/** Expects a request to succeed, and returns the body of the response. */
export async function expectSuccess(answer: Promise<Answer<unknown>>): Promise<Loose> {
  const { status, body, text } = (await answer) as Answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return body;
}

/** Expects a request to be rejected with this status and code, and returns the problem. */
export async function expectRefused(
  answer: Promise<Answer<unknown>>,
  status: number,
  code: string,
): Promise<Loose> {
  const { status: given, body } = (await answer) as Answer;
  expect({ status: given, code: body?.['code'] }).toEqual({ status, code });
  return body;
}

/** Expects a body or query to be rejected with errors on exactly these paths. */
export async function expectInvalidPaths(
  answer: Promise<Answer<unknown>>,
  ...paths: string[]
): Promise<void> {
  const { errors } = (await expectRefused(answer, 400, 'validation_failed')) as unknown as {
    errors: { path: string }[];
  };
  expect([...new Set(errors.map(({ path }) => path))].toSorted()).toEqual(paths.toSorted());
}

/** Creates an issue and brings it to a status by requests. */
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
    await expectSuccess(
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

/** Creates an issue with a value in every field. */
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
