// @ts-check
import { dataOf } from '../../client/client.mjs';
import { agents as names, issues as plan, question } from './board-data.mjs';

/** @typedef {import('./service.mjs').DemoService} DemoService */
/** @typedef {import('../../client/schema.js').components['schemas']['NewAgentResponse']} Agent */
/** @typedef {import('../../client/schema.js').components['schemas']['IssueResponse']} Issue */
/** @typedef {{ project: { id: string, key: string }, agents: Agent[], issues: Map<string, Issue> }} Board */

/**
 * Creates the project Payments with agents and issues in every status, through the API alone. A suffix makes its key and
 * the names of its agents differ from those of an earlier demo on the same service.
 * @param {DemoService} service @param {string} [suffix] @returns {Promise<Board>}
 */
export async function makeBoard(service, suffix = '') {
  const project = await dataOf(
    service.api.POST('/api/projects', {
      body: {
        key: `PAY${suffix}`,
        name: 'Payments',
        description: 'Refunds, payouts and what finance reads about them.',
      },
    }),
  );
  const agents = await Promise.all(
    names.map((name) =>
      dataOf(
        service.api.POST('/api/agents', {
          body: { name: suffix === '' ? name : `${name} ${suffix}`, maxConcurrentIssues: 2 },
        }),
      ),
    ),
  );
  /** @type {Map<string, Issue>} */
  const issues = new Map();
  for (const planned of plan)
    issues.set(planned.title, await makeIssue(service, project.id, planned, agents, issues));
  for (const planned of plan)
    await bringTo(service, planned, /** @type {Issue} */ (issues.get(planned.title)));
  await pickUpSome(service, agents);
  await askPerson(service, project.id, agents);
  return { project, agents, issues };
}

/**
 * @param {DemoService} service @param {string} projectId @param {import('./board-data.mjs').PlannedIssue} planned
 * @param {Agent[]} agents @param {Map<string, Issue>} known
 */
function makeIssue(service, projectId, { title, by, after, priority, description }, agents, known) {
  const agent = agents[names.indexOf(by ?? '')];
  const blocker = after === undefined ? undefined : known.get(after);
  return dataOf(
    service.api.POST('/api/projects/{projectId}/issues', {
      params: { path: { projectId } },
      body: {
        title,
        ...(agent && { assignedAgentId: agent.id }),
        ...(blocker && { blockedByIssueId: blocker.id }),
        ...(priority && { priority }),
        ...(description && { description }),
      },
    }),
  );
}

/** @param {DemoService} service @param {import('./board-data.mjs').PlannedIssue} planned @param {Issue} issue */
async function bringTo({ api }, { to, comment }, { id: issueId }) {
  const params = { path: { issueId } };
  /** @param {Issue['status']} status */
  const set = (status) => dataOf(api.PUT('/api/projects/issues/{issueId}', { params, body: { status } }));
  if (comment)
    await dataOf(api.POST('/api/projects/issues/{issueId}/comments', { params, body: { content: comment } }));
  if (to === 'review') await set('InProgress').then(() => set('PendingReview'));
  if (to === 'resolved' || to === 'closed') await set('Resolved');
  if (to === 'closed') await api.POST('/api/projects/issues/{issueId}/close', { params });
}

/**
 * An agent asks a question about an issue that is assigned to it.
 * @param {DemoService} service @param {string} projectId @param {Agent[]} agents
 */
async function askPerson(service, projectId, agents) {
  const { by, ask, issue: title } = question;
  const agent = /** @type {Agent} */ (agents[names.indexOf(by)]);
  const issue = await dataOf(
    service.api.POST('/api/projects/{projectId}/issues', {
      params: { path: { projectId } },
      body: { title, assignedAgentId: agent.id, priority: 'medium' },
    }),
  );
  await dataOf(
    service.as(agent.key).POST('/api/projects/issues/{issueId}/gates', {
      params: { path: { issueId: issue.id } },
      body: ask,
    }),
  );
}

/**
 * The agents whose work is in progress pick up their most urgent issue; the others have not connected yet.
 * @param {DemoService} service @param {Agent[]} agents
 */
async function pickUpSome(service, agents) {
  for (const [index, { key }] of agents.entries())
    if (plan.some(({ by, to }) => by === names[index] && to === 'progress'))
      await dataOf(
        service.as(key).POST('/api/agents/{agentId}/heartbeat', {
          params: { path: { agentId: 'me' } },
          body: { worker: 'demo', capacity: 1 },
        }),
      );
}
