import { describe, expect, it } from '@jest/globals';
import type { RunResponse } from '../../../src/work/runs/run.dto.js';
import { aComment, type Issue } from '../../support/builders.js';
import { RunnerWorld } from '../../support/runner-world.js';
import { scripted } from '../../support/runner.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Wire } from '../../support/wire.js';
import { answer, type Gate } from '../work/gates/gate-requests.js';

const service = useService({ settings: { LEASE_SECONDS: '30' } });

const gatesOf = async (issue: Issue) =>
  (await service.owner.get<Gate[]>(`/api/projects/gates?issueId=${issue.id}&state=open`)).body;
const gateOf = (issue: Issue) => until(async () => (await gatesOf(issue))[0]);
const runsOf = async (issue: Issue) =>
  (await service.owner.get<Wire<RunResponse>[]>(`/api/projects/issues/${issue.id}/runs`)).body;

/** What the agent heard for the permissions that it asked for. */
const decisions = (world: RunnerWorld, { key }: Issue) =>
  world.runner
    .heard('bot', key)
    .filter(({ permission }) => permission)
    .map(({ permission, outcome }) => [permission, outcome]);
/** A comment with a script: a session that goes on hears only what is new, and never the brief again. */
const again = (text: string, script: string[]) => [text, ...script.map((line) => `>> ${line}`)].join('\n');
const selected = (optionId: string) => ({ outcome: 'selected', optionId });

describe('an agent whose permissions are asked of people', () => {
  it('is parked with a gate, and resumed with the answer by a runner that was killed meanwhile', async () => {
    const world = await RunnerWorld.of(service, { permissions: 'ask', capacity: 2 });
    const scripts = [
      ['permission Delete the folder', 'say deleted'],
      ['permission Delete the disk', 'say left it'],
    ];
    const [allowed, denied] = [await world.issue(scripts[0]!), await world.issue(scripts[1]!)];
    world.runner.start();
    const gates = [await gateOf(allowed), await gateOf(denied)];
    expect(gates[0]).toMatchObject({
      kind: 'question',
      title: 'May I: Delete the folder',
      options: ['Allow', 'Deny'],
      agent: { id: world.agent.id },
      blocks: { issues: 1 },
    });
    await until(() => world.runner.output.match(/parked: waiting/g)?.length === 2);
    expect((await world.read(allowed)).status).toBe('WaitingOnDependency');
    await until(async () => (await runsOf(allowed))[0]?.stopped === 'waiting');
    await world.runner.end('SIGKILL');
    await aComment(service.owner, allowed, again('Mind the gap.', scripts[0]!));
    await aComment(service.owner, denied, again('Mind the gap.', scripts[1]!));
    await answer(service.owner, gates[0]!, { option: 'Allow' });
    await answer(service.owner, gates[1]!, { option: 'Deny' });
    world.runner.start();
    for (const issue of [allowed, denied]) {
      expect((await world.becomes(issue, 'Resolved')).attempts).toBe(0);
      const heard = world.runner.heard('bot', issue.key);
      expect(new Set(heard.map(({ session }) => session)).size).toBe(1);
    }
    const [, resumed] = await world.prompts(allowed, 2);
    expect(resumed).toMatch(
      /Go on with [^]*Mind the gap\.[^]*question: May I: Delete the folder\noption: Allow/,
    );
    expect(decisions(world, allowed).at(-1)).toEqual(['Delete the folder', selected('yes')]);
    expect(decisions(world, denied).at(-1)).toEqual(['Delete the disk', selected('no')]);
    expect((await world.comments(allowed)).at(-1)).toMatch(/^deleted\n/);
  });
});

describe('a session after a pause', () => {
  it.each([
    ['resumed', []],
    ['loaded', ['--load']],
  ])('has the key of the new lease when it is %s', async (_, flags) => {
    const world = await RunnerWorld.of(service, { acp: scripted(...flags) });
    const script = ['environment seen.json', 'until go', 'say done'];
    const issue = await world.issue(script);
    world.runner.start();
    await world.prompts(issue, 1);
    const keyNow = () => /Bearer (awp_[\w-]+)/.exec(world.runner.read('bot', issue.key, 'seen.json'))?.[1];
    const before = await until(keyNow);
    await service.owner.post(`/api/projects/issues/${issue.id}/pause`);
    world.runner.write('bot', issue.key, 'go');
    await until(() => /parked: paused/.test(world.runner.output));
    await aComment(service.owner, issue, again('Go on.', script));
    await service.owner.post(`/api/projects/issues/${issue.id}/resume`);
    await world.becomes(issue, 'Resolved');
    expect(keyNow()).toMatch(/^awp_/);
    expect(keyNow()).not.toBe(before);
    expect(new Set(world.runner.heard('bot', issue.key).map(({ session }) => session)).size).toBe(1);
  });

  it.each([
    ['is loaded by an agent that cannot resume, without its history in the result', '--load', 1],
    ['is begun again with the brief by an agent that forgets', '--forget', 2],
  ])('%s', async (_, flag, sessions) => {
    const world = await RunnerWorld.of(service, { acp: scripted(flag) });
    const issue = await world.issue(['until go', 'say done']);
    world.runner.start();
    await world.prompts(issue, 1);
    await service.owner.post(`/api/projects/issues/${issue.id}/pause`);
    world.runner.write('bot', issue.key, 'go');
    await until(() => /parked: paused/.test(world.runner.output));
    await service.owner.post(`/api/projects/issues/${issue.id}/resume`);
    await world.becomes(issue, 'Resolved');
    const heard = world.runner.heard('bot', issue.key);
    expect(new Set(heard.map(({ session }) => session)).size).toBe(sessions);
    expect(heard.at(-1)?.prompt?.includes('Go on with')).toBe(sessions === 1);
    expect(heard.at(-1)?.prompt?.includes('>> until go')).toBe(sessions === 2);
    expect(await world.comments(issue)).toEqual([expect.not.stringContaining('the history')]);
  });
});
