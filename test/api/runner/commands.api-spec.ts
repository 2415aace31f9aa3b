import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, someName, type Issue } from '../../support/builders.js';
import { RunnerWorld } from '../../support/runner-world.js';
import { MAIN, scripted } from '../../support/runner.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const service = useService();

describe('awp-runner init', () => {
  it('makes an agent, its key and the file, with which doctor finds no problem and once resolves an issue', async () => {
    const env = { AWP_ADMIN_KEY: service.ownerKey };
    const { runner } = await RunnerWorld.of(service);
    const name = someName('writer').replaceAll(' ', '-').slice(0, 32);
    const home = { ...env, HOME: runner.folder };
    const flags = ['--url', service.baseUrl, '--agent', name, '--acp', scripted().join(' ')];
    expect(await runner.command(['init', ...flags], home)).toMatchObject({
      code: 78,
      output: expect.stringContaining('exists already'),
    });
    rmSync(join(runner.folder, 'awp-runner.yaml'));
    expect(await runner.command(['init', ...flags], home)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Next: awp-runner doctor'),
    });
    const key = join(runner.folder, '.awp/keys', name);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(runner.folder, 'awp-runner.yaml'), 'utf8')).not.toContain('awp_');
    const doctor = await runner.command(['doctor'], { HOME: runner.folder });
    expect(doctor.output).toContain(`ok    ${name}: key: belongs to «${name}»`);
    expect(doctor.output).toMatch(/scripted-agent 1\.0\.0 resumes sessions/);
    expect(doctor).toMatchObject({ code: 0, output: expect.not.stringContaining('FAIL') });
    const { body } = await service.owner.get<{ id: string; name: string }[]>('/api/agents');
    const project = await aProject(service.owner);
    const issue = await anIssue(service.owner, project, {
      description: '>> say hello from once',
      assignedAgentId: body.find((agent) => agent.name === name)!.id,
    });
    const once = await runner.command(['once', issue.key], { HOME: runner.folder });
    expect(once).toMatchObject({ code: 0, output: expect.stringContaining('hello from once') });
    expect((await service.owner.get<Issue>(`/api/projects/issues/${issue.id}`)).body.status).toBe('Resolved');
  });
});

describe('awp-runner once', () => {
  it('gives another issue that comes first back without an attempt, and says why', async () => {
    const world = await RunnerWorld.of(service);
    const first = await world.issue(['say first'], { priority: 'high' });
    const wanted = await world.issue(['say wanted']);
    expect(await world.runner.command(['once', wanted.key])).toMatchObject({
      code: 78,
      output: expect.stringContaining(`${first.key} comes first.`),
    });
    expect(await world.read(first)).toMatchObject({ status: 'Open', attempts: 0 });
    expect((await world.read(wanted)).status).toBe('Open');
  });

  it('says what to do about an issue that is not assigned, and returns 1 when the agent fails', async () => {
    const world = await RunnerWorld.of(service);
    const other = await world.issue(['say x'], { assignedAgentId: null });
    expect(await world.runner.command(['once', other.key])).toMatchObject({
      code: 78,
      output: expect.stringContaining('Assign it to bot'),
    });
    const broken = await world.issue(['crash 3']);
    expect(await world.runner.command(['once', broken.key])).toMatchObject({ code: 1 });
    expect(await world.read(broken)).toMatchObject({ status: 'Open', attempts: 1 });
  });
});

const following: { kill: (signal: 'SIGKILL') => void }[] = [];
afterEach(() => following.splice(0).forEach((child) => child.kill('SIGKILL')));

describe('awp-runner logs and clean', () => {
  it('prints the log as JSON Lines, and follows it while the run goes on', async () => {
    const world = await RunnerWorld.of(service);
    const issue = await world.issue(['say begun', 'until go', 'say ended']);
    world.runner.start();
    await world.prompts(issue, 1);
    const file = join(world.runner.folder, 'awp-runner.yaml');
    const child = spawn(process.execPath, [MAIN, 'logs', issue.key, '-f', '--config', file]);
    following.push(child);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await until(() => output.includes('begun'));
    expect(output).not.toContain('"kind":"end"');
    world.runner.write('bot', issue.key, 'go');
    await until(() => output.includes('"kind":"end"'));
    const lines = output.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(
      expect.arrayContaining(['prompt', 'update', 'stop', 'end']),
    );
    // Its last line would be taken for output of the command.
    await until(() => world.runner.output.includes(' ended: '));
    expect((await world.runner.command(['logs', issue.key])).output.trim().split('\n')).toEqual(lines);
    expect(await world.runner.command(['logs', 'NO-1'])).toMatchObject({ code: 78 });
  });

  it('removes only workspaces of issues that have been over for 7 days', async () => {
    const world = await RunnerWorld.of(service, { capacity: 3 });
    const issues = [
      await world.issue(['say a']),
      await world.issue(['say b']),
      await world.issue(['refuse']),
    ];
    const [old, , open] = issues as [Issue, Issue, Issue];
    world.runner.start();
    await until(() => world.runner.output.match(/ ended: /g)?.length === 3);
    await world.runner.end();
    for (const { key } of [old, open]) {
      const file = join(world.runner.root, 'bot/.runs', `${key}.json`);
      const state = JSON.parse(readFileSync(file, 'utf8')) as object;
      writeFileSync(file, JSON.stringify({ ...state, updatedAt: '2020-01-01T00:00:00.000Z' }));
    }
    expect(await world.runner.command(['clean'])).toMatchObject({ code: 0, output: `Removed ${old.key}.\n` });
    expect(issues.map(({ key }) => existsSync(world.runner.in('bot', key, '.')))).toEqual([
      false,
      true,
      true,
    ]);
    expect((await world.runner.command(['clean'])).output).toBe('Nothing is old enough to remove.\n');
  });
});
