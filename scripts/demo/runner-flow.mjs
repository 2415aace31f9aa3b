// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '../../client/client.mjs';
import { inRoot } from '../paths.mjs';
import { endWithMe } from './end-with-me.mjs';
import { must, say } from './say.mjs';

/** @typedef {import('../../client/client.mjs').Api} Api */
/** @typedef {import('../../client/client.mjs').Schemas['IssueResponse']} Issue */
const NAMES = ['planner', 'writer', 'checker'];

/**
 * Flow 3: runners drive three scripted agents through a graph. One runner is killed, and another goes on with its issue.
 * @param {import('./service.mjs').DemoService} service
 */
export async function runnerFlow(service) {
  say.flow('Flow 3: agents that a runner drives');
  const folder = await mkdtemp(join(tmpdir(), 'awp-demo-runner-'));
  const runners = new Map();
  try {
    const agents = await Promise.all(NAMES.map((name) => makeAgent(service, folder, name)));
    const issues = await makeGraph(service.api, agents);
    say.step(
      'create five issues for three agents, each with its blockers',
      issues.map(({ status }) => status).join(', '),
    );
    for (const name of NAMES) runners.set(name, startRunner(folder, name));
    say.step('awp-runner run, once for each agent', 'agents that speak ACP take what is open');
    await until(service.api, issues[0], 'Resolved');
    const [, second] = issues;
    await until(service.api, second, 'InProgress');
    runners.get('writer').kill('SIGKILL');
    await once(runners.get('writer'), 'exit');
    runners.set('writer', startRunner(folder, 'writer'));
    say.step('kill -9 the runner of the writer, and start another', 'it goes on with the same session');
    for (const issue of issues) await until(service.api, issue, 'Resolved');
    const { attempts } = await read(service.api, second);
    must(attempts === 0, 'the killed runner cost an attempt');
    say.step('wait for the last issue', 'all five are Resolved, each after its blockers');
  } finally {
    for (const runner of runners.values()) runner.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** @param {import('./service.mjs').DemoService} service @param {string} folder @param {string} name */
async function makeAgent(service, folder, name) {
  const body = { name: `Demo ${name} ${Date.now().toString(36)}` };
  const agent = await dataOf(service.api.POST('/api/agents', { body }));
  await writeFile(join(folder, `${name}.key`), agent.key, { mode: 0o600 });
  const acp = [process.execPath, inRoot('runner/test/scripted-agent.mjs')];
  const agents = { [name]: { key: `./${name}.key`, acp } };
  const config = { url: service.url, workspaces: join(folder, 'work'), agents };
  await writeFile(join(folder, `${name}.yaml`), JSON.stringify(config));
  return agent;
}

/** @param {Api} api @param {{ id: string }[]} agents */
async function makeGraph(api, [planner, writer, checker]) {
  const key = `RUN${Date.now().toString(36).toUpperCase().slice(-6)}`;
  const project = await dataOf(api.POST('/api/projects', { body: { key, name: 'Demo of the runner' } }));
  const path = { projectId: project.id };
  const make = (
    /** @type {{ id: string } | undefined} */ agent,
    /** @type {string} */ title,
    /** @type {Issue} */ blocker,
    seconds = 1,
  ) =>
    dataOf(
      api.POST('/api/projects/{projectId}/issues', {
        params: { path },
        body: {
          title,
          description: `>> sleep ${seconds}\n>> say ${title}: done.`,
          assignedAgentId: agent?.id,
          ...(blocker && { blockedByIssueId: blocker.id }),
        },
      }),
    );
  const plan = await make(planner, 'Plan the page', /** @type {never} */ (undefined));
  // Its runner is killed meanwhile.
  const text = await make(writer, 'Write the text', plan, 2);
  const pictures = await make(planner, 'Choose the pictures', plan);
  const check = await make(checker, 'Check the page', text);
  return [plan, text, pictures, check, await make(writer, 'Publish the page', check)];
}

/** @param {string} folder @param {string} name */
function startRunner(folder, name) {
  const args = [inRoot('runner/dist/main.js'), 'run', '--config', join(folder, `${name}.yaml`)];
  // The watcher of a runner that is killed ends its agents.
  return endWithMe(spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'KILL');
}

/** @param {Api} api @param {Issue | undefined} issue */
function read(api, issue) {
  const params = { path: { issueId: issue?.id ?? '' } };
  return dataOf(api.GET('/api/projects/issues/{issueId}', { params }));
}

/** @param {Api} api @param {Issue | undefined} issue @param {string} status */
async function until(api, issue, status) {
  for (let count = 0; count < 600; count += 1) {
    if ((await read(api, issue)).status === status) return;
    await sleep(200);
  }
  throw new Error(`${issue?.key} did not become ${status}`);
}
