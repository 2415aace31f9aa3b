import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import { codeBlock } from '../../support/shell-blocks.js';
import { until } from '../../support/until.js';
import { sendHeartbeat } from '../gateway/heartbeat-requests.js';

const LEASE_SECONDS = 9;
/** Longer than a lease, so that the other worker gets the issue unless the lease is renewed. */
const WORK_SECONDS = 13;

const service = useService({ settings: { LEASE_SECONDS: String(LEASE_SECONDS) } });
const folder = mkdtempSync(join(tmpdir(), 'awp-long-work-'));
const children: ChildProcess[] = [];
let project: Project;
beforeAll(async () => {
  project = await aProject(service.owner);
});
afterAll(() => {
  children.forEach((child) => child.kill('SIGKILL'));
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

/** Writes a program with its work replaced, as its comment says, by work that takes long or waits for its stop. */
function written(name: string, text: string, work: RegExp, replacement: string): string {
  expect(text).toMatch(work);
  const file = join(folder, name);
  writeFileSync(file, text.replace(work, replacement));
  return file;
}

const inTypeScript = () => {
  const work = /stop\.throwIfAborted\(\);/;
  const longer = `await sleep(brief.includes('held') ? 300_000 : ${WORK_SECONDS * 1000}, null, { signal: stop });`;
  const file = written('worker.ts', readFileSync('examples/worker.ts', 'utf8'), work, longer);
  // Node 20 does not run TypeScript.
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  writeFileSync(join(folder, 'worker.mjs'), code);
  return [process.execPath, join(folder, 'worker.mjs')];
};

const inPython = () => {
  const work = /(?<=\n)    return f"\{item/;
  const longer = `    stop.wait(300 if "held" in item["brief"] else ${WORK_SECONDS})\n    return f"{item`;
  return ['python3', written('worker.py', readFileSync('examples/worker.py', 'utf8'), work, longer)];
};

const ofTheGuide = () => {
  const source = codeBlock('docs/api-guide.md', 'the worker', 'js');
  writeFileSync(join(folder, 'guide.mjs'), source);
  const work = `if grep -q held; then exec sleep 300; else exec sleep ${WORK_SECONDS}; fi`;
  return [process.execPath, join(folder, 'guide.mjs'), 'sh', '-c', work];
};

const assigned = (agent: Caller, fields: object = {}) =>
  anIssue(service.owner, project, { assignedAgentId: agent.id, ...fields });
const read = async ({ id }: Issue) => (await service.owner.get<Issue>(`/api/projects/issues/${id}`)).body;

async function keepsItsLease([command, ...given]: string[]): Promise<void> {
  const agent = await asAgent(service);
  const held = await assigned(agent, { description: 'held', priority: 'urgent' });
  const env = { PATH: process.env['PATH'], AWP_URL: service.baseUrl, AWP_KEY: agent.key!, AWP_WORKER: 'one' };
  children.push(spawn(command!, given, { env, stdio: 'ignore' }));
  await until(async () => (await read(held)).status === 'InProgress', 60);
  await service.owner.post(`/api/projects/issues/${held.id}/pause`);
  const issue = await assigned(agent);
  await until(async () => (await read(issue)).status === 'InProgress', 60);
  // Another worker of the agent gets whatever is not renewed.
  await until(async () => {
    expect((await sendHeartbeat(agent, { worker: 'other', capacity: 1 })).pickedUp).toEqual([]);
    return (await read(issue)).status !== 'InProgress';
  }, 90);
  expect(await read(issue)).toMatchObject({ status: 'Resolved', attempts: 0 });
}

describe('a worker whose work takes longer than a lease', () => {
  it('keeps its lease, and ends work that was paused: both examples, and the worker of docs/api-guide.md', async () => {
    await Promise.all([inTypeScript(), inPython(), ofTheGuide()].map(keepsItsLease));
  }, 180_000);
});
