import { randomBytes } from 'node:crypto';
import { must, say } from './say.mjs';

/** Flow 2: an issue that waits for another is set free when that one is resolved, and is picked up. */
export async function dependencyFlow(service, agent) {
  say.flow('Flow 2: work that waits for other work');
  const project = await service.call('POST', '/api/projects', {
    key: `DEMO${randomBytes(3).toString('hex').toUpperCase()}`,
    name: 'Demo',
  });
  const make = (issue) =>
    service.call('POST', `/api/projects/${project.key}/issues`, { assignedAgentId: agent.id, ...issue });
  const first = await make({ title: 'Collect the merged work' });
  const second = await make({ title: 'Write the release notes', blockedByIssueId: first.id });
  must(second.status === 'WaitingOnDependency', 'the blocked issue does not wait');
  say.step(
    `create ${first.key}, and ${second.key} with blockedByIssueId`,
    `${first.key} is ${first.status}, ${second.key} is ${second.status}`,
  );

  const worker = service.as(agent.key);
  const beat = await worker.call('POST', '/api/agents/me/heartbeat', {});
  must(
    beat.pickedUp.length === 1 && beat.pickedUp[0].issue.id === first.id,
    'the heartbeat gave something else',
  );
  say.step("the agent's heartbeat", `picked up ${first.key} only`);
  await worker.call(
    'PUT',
    `/api/projects/issues/${first.id}`,
    { status: 'Resolved' },
    { 'lease-token': String(beat.pickedUp[0].lease.token) },
  );
  const freed = await service.call('GET', `/api/projects/issues/${second.id}`);
  must(freed.status === 'Open', 'the dependent was not set free');
  say.step(`the agent resolves ${first.key}`, `${second.key} became ${freed.status} by itself`);

  const next = await worker.call('POST', '/api/agents/me/heartbeat', {});
  must(
    next.pickedUp.length === 1 && next.pickedUp[0].issue.id === second.id,
    'the freed issue was not picked up',
  );
  say.step("the agent's next heartbeat", `picked up ${second.key}, now ${next.pickedUp[0].issue.status}`);
}
