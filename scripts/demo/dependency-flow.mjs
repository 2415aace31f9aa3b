// @ts-check
import { randomBytes } from 'node:crypto';
import { dataOf, Refused } from '../../client/client.mjs';
import { must, say } from './say.mjs';

/**
 * Flow 2: an issue that waits for another is unblocked when that one is resolved, and is picked up.
 * @param {import('./service.mjs').DemoService} service @param {{ id: string, key: string }} agent
 */
export async function dependencyFlow(service, agent) {
  say.flow('Flow 2: work that waits for other work');
  const { api } = service;
  const project = await makeProject(api);
  const first = await makeIssue(api, project.key, {
    title: 'Collect the merged work',
    assignedAgentId: agent.id,
  });
  const second = await makeIssue(api, project.key, {
    title: 'Write the release notes',
    assignedAgentId: agent.id,
    blockedByIssueId: first.id,
  });
  must(second.status === 'WaitingOnDependency', 'the blocked issue does not wait');
  say.step(
    `create ${first.key}, and ${second.key} with blockedByIssueId`,
    `${first.key} is ${first.status}, ${second.key} is ${second.status}`,
  );

  const worker = service.as(agent.key);
  const [picked, ...others] = await pickUp(worker);
  must(picked?.issue.id === first.id && others.length === 0, 'the heartbeat returned another issue');
  say.step("the agent's heartbeat", `picked up ${first.key} only`);
  await dataOf(
    worker.PUT('/api/projects/issues/{issueId}', {
      params: { path: { issueId: first.id }, header: { 'Lease-Token': String(picked.lease.token) } },
      body: { status: 'Resolved' },
    }),
  );
  const unblocked = await dataOf(
    api.GET('/api/projects/issues/{issueId}', { params: { path: { issueId: second.id } } }),
  );
  must(unblocked.status === 'Open', 'the dependent issue was not unblocked');
  say.step(`the agent resolves ${first.key}`, `${second.key} became ${unblocked.status} automatically`);

  const [next, ...more] = await pickUp(worker);
  must(next?.issue.id === second.id && more.length === 0, 'the unblocked issue was not picked up');
  say.step("the agent's next heartbeat", `picked up ${second.key}, now ${next.issue.status}`);
}

/**
 * `DEMO`, whose issues the examples in Swagger UI name, or another key when the demo has run here before.
 * @param {import('../../client/client.mjs').Api} api
 */
async function makeProject(api) {
  const make = (/** @type {string} */ key) =>
    dataOf(api.POST('/api/projects', { body: { key, name: 'Demo' } }));
  try {
    return await make('DEMO');
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'name_taken') throw error;
    return make(`DEMO${randomBytes(3).toString('hex').toUpperCase()}`);
  }
}

/**
 * @param {import('../../client/client.mjs').Api} api @param {string} projectId
 * @param {import('../../client/schema.js').components['schemas']['CreateIssueRequest']} body
 */
function makeIssue(api, projectId, body) {
  return dataOf(api.POST('/api/projects/{projectId}/issues', { params: { path: { projectId } }, body }));
}

/** @param {import('../../client/client.mjs').Api} worker */
async function pickUp(worker) {
  const path = { agentId: 'me' };
  const answer = dataOf(worker.POST('/api/agents/{agentId}/heartbeat', { params: { path }, body: {} }));
  return (await answer).pickedUp;
}
