import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { aComment, type Issue } from '../../support/builders.js';
import { LosingProxy } from '../../support/losing-proxy.js';
import { RunnerWorld } from '../../support/runner-world.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService({ settings: { LEASE_SECONDS: '30' } });
const attachmentsOf = async (issue: { id: string }) =>
  (
    await service.owner.get<{ filename: string; downloadUrl: string }[]>(
      `/api/projects/issues/${issue.id}/attachments`,
    )
  ).body;

describe('an issue that a runner works on', () => {
  it('is resolved with the last message, the figures and the log, and its tools use the key of the lease', async () => {
    const world = await RunnerWorld.of(
      service,
      { env: ['MODEL_KEY'] },
      { env: { MODEL_KEY: 'model-secret-1' } },
    );
    const issue = await world.issue([
      'environment seen.json',
      'tool platform__add_comment {"content":"from the tool"}',
      'usage 100 20',
      'cost 0.25',
      'say I wrote model-secret-1 into the page.',
    ]);
    world.runner.start();
    await world.becomes(issue, 'Resolved');
    const [tool, last] = await world.comments(issue);
    expect(tool).toBe('from the tool');
    expect(last).toMatch(
      /^I wrote \*\*\* into the page\.\n\n---\nThe agent ended its turn\. \(\d+s, 1 turn, 120 tokens, 0\.25 USD, session /,
    );
    const seen = JSON.parse(world.runner.read('bot', issue.key, 'seen.json')) as {
      env: Record<string, string>;
      server: { headers: { value: string }[] };
    };
    expect(seen.server.headers[0]?.value).toMatch(/^Bearer awp_l_/);
    expect(JSON.stringify(seen)).not.toContain(world.agent.key);
    expect(Object.keys(seen.env)).not.toContain('AWP_RUNNER_KEY');
    expect(seen.env['HOME']).toContain(world.runner.root);
    const [log] = await attachmentsOf(issue);
    expect(log?.filename).toMatch(/^awp-run-\d+\.jsonl$/);
    const authorization = `Bearer ${service.ownerKey}`;
    const text = await (
      await fetch(service.baseUrl + log!.downloadUrl, { headers: { authorization } })
    ).text();
    expect(text).toContain('"kind":"prompt"');
    expect(text).not.toContain('model-secret-1');
    expect(text).not.toContain('awp_l_');
  });

  it('gets comments and changes of the brief in further turns, each once', async () => {
    const world = await RunnerWorld.of(service);
    const issue = await world.issue(['until go', 'say first']);
    world.runner.start();
    await world.prompts(issue, 1);
    await aComment(service.owner, issue, 'Mind the gap.');
    await service.owner.put(`/api/projects/issues/${issue.id}`, { description: 'A new brief.' });
    world.runner.write('bot', issue.key, 'go');
    await world.becomes(issue, 'Resolved');
    const [, second, ...others] = await world.prompts(issue, 2);
    expect(second).toContain('wrote:\n\nMind the gap.');
    expect(second).toContain('The description of the issue is now:\n\nA new brief.');
    expect(others).toEqual([]);
  });

  it('is parked at the turn when it is paused, and resumed in the same session', async () => {
    const world = await RunnerWorld.of(service);
    const issue = await world.issue(['until go', 'say before the pause']);
    world.runner.start();
    await world.prompts(issue, 1);
    await service.owner.post(`/api/projects/issues/${issue.id}/pause`);
    world.runner.write('bot', issue.key, 'go');
    await until(() => /parked: paused/.test(world.runner.output));
    expect((await world.read(issue)).status).toBe('Open');
    await service.owner.post(`/api/projects/issues/${issue.id}/resume`);
    await world.becomes(issue, 'Resolved');
    const heard = world.runner.heard('bot', issue.key);
    expect(heard.map(({ turn }) => turn)).toEqual([1, 2]);
    expect(new Set(heard.map(({ session }) => session)).size).toBe(1);
    expect(heard[1]?.prompt).toContain(`Go on with ${issue.key}`);
    expect((await world.read(issue)).attempts).toBe(0);
  });

  it('goes on with its turn through a pause and a resume, and then hears only what is new', async () => {
    const world = await RunnerWorld.of(service);
    const issue = await world.issue(['until go', 'say before the pause'], { title: 'The first title' });
    world.runner.start();
    await world.prompts(issue, 1);
    await service.owner.post(`/api/projects/issues/${issue.id}/pause`);
    await aComment(service.owner, issue, 'Mind the gap.');
    await service.owner.put(`/api/projects/issues/${issue.id}`, { title: 'Another title' });
    await service.owner.post(`/api/projects/issues/${issue.id}/resume`);
    world.runner.write('bot', issue.key, 'go');
    await world.becomes(issue, 'Resolved');
    expect(world.runner.output).toMatch(/parked: paused/);
    const prompts = await world.prompts(issue, 2);
    expect(prompts).toHaveLength(2);
    const said = '[^\\n]+ wrote:\\n\\nMind the gap.\\n\\nThe title of the issue is now:\\n\\nAnother title';
    const begin = `^Go on with ${issue.key}: the issue is yours again.`;
    expect(prompts[1]).toMatch(new RegExp(`${begin}\\n\\n${said}$`));
  });

  it('may end a long turn after a pause, in which the runner does not flood the service with heartbeats', async () => {
    let heartbeats = 0;
    const proxy = await LosingProxy.before(service.baseUrl, (path) => {
      heartbeats += Number(path.includes('/heartbeat'));
      return false;
    });
    const world = await RunnerWorld.of(service, {}, { url: proxy.url });
    const issue = await world.issue(['sleep 4', 'say done']);
    world.runner.start();
    await world.prompts(issue, 1);
    await service.owner.post(`/api/projects/issues/${issue.id}/pause`);
    await until(() => /parked: paused/.test(world.runner.output));
    expect(heartbeats).toBeLessThan(20);
    await world.runner.end();
    proxy.close();
  });

  it('is left to its new agent when it is reassigned, and its process ends', async () => {
    const world = await RunnerWorld.of(service);
    const issue = await world.issue(['daemon pid', 'until go']);
    world.runner.start();
    const pid = Number(await until(() => world.runner.read('bot', issue.key, 'pid')));
    await service.owner.put(`/api/projects/issues/${issue.id}`, { assignedAgentId: null });
    await until(() => /parked: reassigned/.test(world.runner.output));
    await until(() => !existsSync(`/proc/${pid}`) || /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
    expect(await world.comments(issue)).toEqual([]);
  });

  it('goes to a person with the reason when the agent refuses, stays silent or reaches a limit', async () => {
    const world = await RunnerWorld.of(service, {
      capacity: 5,
      limits: { stall: '2s', output_mb: 2, turns: 3 },
    });
    const refused = await world.issue(['say I must not.', 'refuse']);
    const silent = await world.issue(['silent']);
    const stalled = await world.issue(['sleep 600']);
    const flooding = await world.issue(['flood 64']);
    world.runner.start();
    for (const issue of [refused, silent, stalled, flooding]) await world.becomes(issue, 'PendingReview');
    expect((await world.comments(refused))[0]).toMatch(/^The agent stopped: refusal[^]*I must not\./);
    expect((await world.comments(silent))[0]).toMatch(/twice without a word[^]*nothing was said/);
    expect(await world.prompts(silent, 2)).toMatchObject([{}, expect.stringContaining('without a word')]);
    expect((await world.comments(stalled))[0]).toContain('The agent was silent for 2s.');
    expect((await world.comments(flooding))[0]).toMatch(/^The agent wrote more than 2 MiB/);
  });

  it('is given back when the agent crashes, and after three equal failures the agent takes no more work', async () => {
    const world = await RunnerWorld.of(service);
    const issues: Issue[] = [];
    for (let count = 0; count < 4; count += 1) issues.push(await world.issue(['crash 3']));
    world.runner.start();
    await until(() => world.runner.output.includes('is failing: The agent ended with code 3.'));
    await world.becomes(issues[2]!, 'PendingReview');
    const states = await Promise.all(issues.map((issue) => world.read(issue)));
    expect(states.map(({ status }) => status)).toEqual(['Open', 'Open', 'PendingReview', 'Open']);
    expect(states.map(({ attempts }) => attempts)).toEqual([1, 1, 0, 0]);
    expect((await world.comments(issues[0]!))[0]).toContain('The agent ended with code 3.');
    expect((await world.comments(issues[2]!))[0]).toMatch(
      /takes no more work until its runner is started again/,
    );
    expect((await world.runner.command(['ps'])).output).toContain('bot is failing');
    const failing = await until(() => world.failing());
    expect(failing).toMatchObject({ reason: 'The agent ended with code 3.' });
    await world.runner.end();
    world.runner.start();
    await until(async () => (await world.failing()) === null);
  });

  it('asks the configured permission, and hears the answer', async () => {
    const allowing = await RunnerWorld.of(service, { permissions: 'allow' });
    const denying = await RunnerWorld.of(service, { permissions: 'deny' });
    const issues: Issue[] = [];
    for (const world of [allowing, denying]) {
      issues.push(await world.issue(['permission Delete the folder', 'say done']));
      world.runner.start();
    }
    await allowing.becomes(issues[0]!, 'Resolved');
    await denying.becomes(issues[1]!, 'Resolved');
    const outcome = (world: RunnerWorld, at: number) =>
      world.runner.heard('bot', issues[at]!.key).find(({ permission }) => permission)?.['outcome'];
    expect(outcome(allowing, 0)).toEqual({ outcome: 'selected', optionId: 'yes' });
    expect(outcome(denying, 1)).toEqual({ outcome: 'selected', optionId: 'no' });
  });

  it('waits for a person when review is on', async () => {
    const world = await RunnerWorld.of(service, { review: true });
    const issue = await world.issue(['say done']);
    world.runner.start();
    await world.becomes(issue, 'PendingReview');
    expect((await world.comments(issue))[0]).toContain('Done; review is on.');
  });
});
