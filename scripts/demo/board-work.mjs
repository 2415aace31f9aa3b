// @ts-check
import { randomUUID } from 'node:crypto';
import { dataOf, Refused } from '../../client/client.mjs';
import { later, steps } from './board-data.mjs';

/** @typedef {import('./service.mjs').DemoService} DemoService */
/** @typedef {import('./board.mjs').Board} Board */
/** @typedef {{ id: string, key: string }} Agent */

/** How many issues stay open, and how many wait for a review before the oldest of the agents' own is accepted. */
const KEPT_OPEN = 8;
const KEPT_IN_REVIEW = 4;
/** An issue takes this many rounds of its agent, a turn each. */
const ROUNDS_PER_ISSUE = 4;

/** Rounds that each issue was worked on. @type {Map<string, number>} */
const rounds = new Map();

/**
 * One step of an agent: a heartbeat, a turn on each of its issues with what it used, and the end of one that took long.
 * @param {DemoService} service @param {Agent} agent @param {number} round @param {number} [capacity] for more issues
 */
export async function workOn(service, agent, round, capacity = 1) {
  const api = service.as(agent.key);
  const path = { agentId: 'me' };
  const { work = [] } = await dataOf(
    api.POST('/api/agents/{agentId}/heartbeat', { params: { path }, body: { worker: 'demo', capacity } }),
  );
  for (const { issueId, token, state } of work) {
    if (state === 'stop' || token === null) continue;
    const done = (rounds.get(issueId) ?? 0) + 1;
    rounds.set(issueId, done);
    const isOver = done >= ROUNDS_PER_ISSUE;
    await report(api, issueId, token, done, isOver);
    if (isOver) await finish(api, issueId, token, round);
    else
      await dataOf(
        api.POST('/api/agents/{agentId}/turns', {
          params: { path },
          body: { issueId, token, toolsVersion: 'none', usage: [usageOf(round)] },
        }),
      );
  }
}

/**
 * Reports what a runner would: the turns so far, what they used, and the last lines of output.
 * @param {DemoService['api']} api @param {string} issueId @param {number} token @param {number} done @param {boolean} isOver
 */
async function report(api, issueId, token, done, isOver) {
  const { response, error } = await api.PUT('/api/projects/issues/{issueId}/run', {
    params: { path: { issueId } },
    body: {
      token,
      session: `demo-${token}`,
      turns: done,
      tokens: done * 11_200,
      costMicros: done * 36_000,
      output: steps.slice(0, done).join('\n'),
      ...(isOver && { stopped: 'The agent ended its turn and finished the issue.' }),
    },
  });
  if (!response.ok) throw new Refused(response, error);
}

/** Every third issue is for a person to look at. @param {DemoService['api']} api @param {string} issueId @param {number} token @param {number} round */
async function finish(api, issueId, token, round) {
  const status = round % 3 === 0 ? 'PendingReview' : 'Resolved';
  const comment = status === 'Resolved' ? 'Done; all tests pass.' : 'Done. Please look at the wording.';
  rounds.delete(issueId);
  await dataOf(
    api.POST('/api/projects/issues/{issueId}/finish', {
      params: { path: { issueId } },
      body: { token, status, comment, usage: [usageOf(round)] },
    }),
  );
}

/** @param {number} round */
const usageOf = (round) => ({
  reportId: randomUUID(),
  model: 'demo-model',
  inputTokens: 9_000 + (round % 7) * 800,
  outputTokens: 600 + (round % 5) * 90,
  costMicros: 30_000 + (round % 7) * 2_000,
});

/** Accepts the oldest reviews of issues that came later, so that the one that blocks the plan is left for the visitor. @param {DemoService} service @param {Board} board */
export async function resolveOldReviews({ api }, { project, issues }) {
  const planned = new Set([...issues.values()].map(({ id }) => id));
  const rows = await issuesOf(api, project.id, 'PendingReview');
  for (const { id } of rows.filter((issue) => !planned.has(issue.id)).slice(KEPT_IN_REVIEW))
    await dataOf(
      api.PUT('/api/projects/issues/{issueId}', {
        params: { path: { issueId: id } },
        body: { status: 'Resolved' },
      }),
    );
}

/** Creates an issue where few are open; every second one waits for an open one. @param {DemoService} service @param {Board} board @param {number} round */
export async function createMore({ api }, { project, agents }, round) {
  const open = await issuesOf(api, project.id, 'Open');
  if (open.length >= KEPT_OPEN) return;
  const blocker = round % 2 === 0 ? open[0] : undefined;
  await dataOf(
    api.POST('/api/projects/{projectId}/issues', {
      params: { path: { projectId: project.id } },
      body: {
        title: /** @type {string} */ (later[round % later.length]),
        assignedAgentId: agents[round % agents.length]?.id,
        priority: round % 3 === 0 ? 'medium' : 'low',
        ...(blocker && { blockedByIssueId: blocker.id }),
      },
    }),
  );
}

/** Newest first. @param {DemoService['api']} api @param {string} projectId @param {'Open' | 'PendingReview'} status */
function issuesOf(api, projectId, status) {
  return dataOf(
    api.GET('/api/projects/{projectId}/issues', {
      params: { path: { projectId }, query: { status, sort: '-createdAt', limit: 50, fields: 'summary' } },
    }),
  );
}
