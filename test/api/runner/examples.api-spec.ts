import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { transformSync } from '@swc/core';
import { aLink, anAgent, anIssue, aProject, type Issue } from '../../support/builders.js';
import { LosingProxy } from '../../support/losing-proxy.js';
import { RunnerWorld } from '../../support/runner-world.js';
import { useService } from '../../support/service.js';
import { codeBlock } from '../../support/shell-blocks.js';
import { asAgent } from '../../support/callers.js';
import { until } from '../../support/until.js';
import { sendHeartbeat } from '../gateway/heartbeat-requests.js';

const service = useService();
const folder = mkdtempSync(join(tmpdir(), 'awp-examples-'));
const children: ChildProcess[] = [];
/** Node 20 does not run TypeScript. */
const compiled = (source: string) =>
  transformSync(source, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }).code;
const typescript = readFileSync('examples/worker.ts', 'utf8');
const python = readFileSync('examples/worker.py', 'utf8');
const inFolder = (name: string) => join(folder, name);
beforeAll(() => {
  writeFileSync(inFolder('worker.mjs'), compiled(typescript));
  writeFileSync(inFolder('held.mjs'), compiled(heldIn(typescript, TS_RESULT, HELD_IN_TS)));
  writeFileSync(inFolder('held.py'), heldIn(python, PY_RESULT, HELD_IN_PY));
  writeFileSync(inFolder('guide.mjs'), codeBlock('docs/api-guide.md', 'the worker', 'js'));
});
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(() => rmSync(folder, { recursive: true }));

/** Lets the work of an example begin with a line in the log, and end when the file `go` is there. */
function heldIn(source: string, result: string, work: string): string {
  expect(source).toContain(result);
  return source.replace(result, () => `${work}\n${result}`);
}
const TS_RESULT = '  return `${issue.title}: the brief has';
const HELD_IN_TS = `  const { appendFileSync, existsSync } = await import('node:fs');
  appendFileSync('log', \`\${issue.key} \${process.pid}\\n\`);
  stop.onabort = () => appendFileSync('stopped', '');
  while (!existsSync('go')) await sleep(50);`;
const PY_RESULT = `    return f"{item['issue']['title']}: the brief has`;
const HELD_IN_PY = `    open("log", "a").write(f"{item['issue']['key']} {os.getpid()}\\n")
    while not os.path.exists("go"):
        if stop.is_set():
            open("stopped", "w").close()
        time.sleep(0.05)`;
/** The same as a command, which gets the brief: it begins with the key. */
const HELD_COMMAND = 'read -r _ key _; echo "${key%:} $PPID" >> log; until [ -e go ]; do sleep 0.05; done';

/** Checks several workers at one time, each with an agent of its own: they mostly wait. Names the one that fails. */
const ofEach = (workers: [string, string[]][], check: (file: string, command: string[]) => Promise<void>) =>
  Promise.all(
    workers.map(async ([file, command]) => {
      await check(file, command).catch((error: unknown) => {
        throw new Error(`The worker of ${file} failed.`, { cause: error });
      });
    }),
  );
const EXAMPLES: [string, string[]][] = [
  ['examples/worker.ts', [process.execPath, inFolder('worker.mjs')]],
  ['examples/worker.py', ['python3', 'examples/worker.py']],
];
const HELD: [string, string[]][] = [
  ['examples/worker.ts', [process.execPath, inFolder('held.mjs')]],
  ['examples/worker.py', ['python3', inFolder('held.py')]],
  ['docs/api-guide.md', [process.execPath, inFolder('guide.mjs'), '/bin/sh', '-c', HELD_COMMAND]],
];
/** Starts a worker, which ends with the test. */
function start([program, ...args]: string[], env: Record<string, string>, cwd?: string): ChildProcess {
  const child = spawn(program!, args, { cwd, env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore' });
  children.push(child);
  return child;
}
const areResolved = (project: { id: string }) =>
  until(async () => {
    const { body } = await service.owner.get<Issue[]>(`/api/projects/${project.id}/issues`);
    return body.every(({ status }) => status === 'Resolved');
  }, 110);

describe('the example workers', () => {
  it('resolve a chain of issues, and have at most 65 lines', () =>
    ofEach(EXAMPLES, async (file, command) => {
      expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(65);
      const agent = await anAgent(service.owner);
      const project = await aProject(service.owner);
      const issues: Issue[] = [];
      for (let count = 0; count < 3; count += 1)
        issues.push(await anIssue(service.owner, project, { assignedAgentId: agent.id }));
      await aLink(service.owner, issues[0]!, issues[1]!);
      await aLink(service.owner, issues[1]!, issues[2]!);
      start(command, { AWP_URL: service.baseUrl, AWP_KEY: agent.key });
      await areResolved(project);
    }));
});

describe('a worker that is superseded', () => {
  it('stops its work', () =>
    ofEach(HELD, async (file, command) => {
      const cwd = mkdtempSync(inFolder('superseded-'));
      const agent = await asAgent(service);
      await anIssue(service.owner, await aProject(service.owner), { assignedAgentId: agent.id });
      const env = { AWP_URL: service.baseUrl, AWP_KEY: agent.key!, AWP_WORKER: 'one' };
      const child = start(command, env, cwd);
      await until(() => existsSync(join(cwd, 'log')));
      const pid = Number(readFileSync(join(cwd, 'log'), 'utf8').split(' ')[1]);
      const second = { worker: 'one', instance: 'another', takeOver: true, capacity: 0 };
      expect((await sendHeartbeat(agent, second)).work).toHaveLength(1);
      // The guide kills its command as it ends, and the examples have it end.
      await until(() => existsSync(join(cwd, 'stopped')) || (file.endsWith('.md') && child.exitCode === 1));
      writeFileSync(join(cwd, 'go'), '');
      await until(() => !existsSync(`/proc/${pid}`));
    }));
});

describe('two copies of a worker with one key', () => {
  it.each([
    ['share the issues', undefined],
    ['work one after the other where they have one name', 'one'],
  ])('%s, and do none twice', (_how, worker) =>
    ofEach(HELD, async (_file, command) => {
      const cwd = mkdtempSync(inFolder('copies-'));
      const agent = await anAgent(service.owner, { maxConcurrentIssues: 10 });
      const project = await aProject(service.owner);
      for (let count = 0; count < 6; count += 1)
        await anIssue(service.owner, project, { assignedAgentId: agent.id });
      const begun = () =>
        existsSync(join(cwd, 'log')) ? readFileSync(join(cwd, 'log'), 'utf8').trim().split('\n') : [];
      const startAt = (url: string) =>
        start(command, { AWP_URL: url, AWP_KEY: agent.key, ...(worker && { AWP_WORKER: worker }) }, cwd);
      let heartbeats = 0;
      const proxy = await LosingProxy.before(service.baseUrl, (path) => {
        heartbeats += path.includes('/heartbeat') ? 1 : 0;
        return false;
      });
      startAt(service.baseUrl);
      await until(() => begun().length > 0);
      startAt(proxy.url);
      const workers = () => new Set(begun().map((line) => line.split(' ')[1]));
      await until(() => (worker === undefined ? workers().size === 2 : heartbeats > 1));
      expect(workers().size).toBe(worker === undefined ? 2 : 1);
      writeFileSync(join(cwd, 'go'), '');
      await areResolved(project);
      const keys = begun().map((line) => line.split(' ')[0]);
      expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
      expect(keys).toHaveLength(6);
      proxy.close();
    }),
  );
});

describe('examples/splitter.mjs', () => {
  it('splits its issue, does the parts one after the other, and gets it back when they are done', async () => {
    const command = [process.execPath, resolve('examples/splitter.mjs')];
    const world = await RunnerWorld.of(service, { command });
    const whole = await anIssue(service.owner, world.project, {
      description: 'Write the page:\n\n- Collect the facts\n- Write it\n- Read it aloud',
      assignedAgentId: world.agent.id,
    });
    world.runner.start();
    await world.becomes(whole, 'Resolved');
    expect(await world.comments(whole)).toEqual([expect.stringContaining('All 3 parts are done.')]);
    const parts = await service.owner.get<Issue[]>(`/api/projects/issues/${whole.id}/children`);
    const shown = parts.body.map(({ title, status, resolvedAt }) => ({ title, status, resolvedAt }));
    expect(shown.map(({ title, status }) => [title, status])).toEqual([
      ['Collect the facts', 'Resolved'],
      ['Write it', 'Resolved'],
      ['Read it aloud', 'Resolved'],
    ]);
    const ends = shown.map(({ resolvedAt }) => resolvedAt);
    expect(ends).toEqual(ends.toSorted());
  });
});
