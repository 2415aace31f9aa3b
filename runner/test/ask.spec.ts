import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Refused } from 'agent-work-platform-client';
import type { UsageReport } from 'agent-work-platform-client/worker';
import { Stop } from 'agent-work-platform-client/work-loop';
import { parseConfig } from '../src/config/config-file.js';
import { AcpDriver } from '../src/drivers/acp-driver.js';
import { digestOf } from '../src/drivers/acp-values.js';
import { Child } from '../src/processes/child.js';
import { startTimeOf } from '../src/processes/process-table.js';
import { RunLog } from '../src/run/run-log.js';
import type { Run } from '../src/run/run.js';
import { Workspace } from '../src/workspace/workspace.js';

const root = mkdtempSync(join(tmpdir(), 'awp-ask-'));
const hooks = { before_turn: 'true', after_run: 'true' };
const connect = { url: 'http://127.0.0.1:1/mcp', headers: {} };
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A job of the scripted agent whose only step asks for a permission. */
async function jobWith(
  ask: () => Promise<{ id: string }>,
  brief = '>> permission Delete it\n>> say done',
): Promise<Run> {
  const command = [process.execPath, join(import.meta.dirname, 'scripted-agent.mjs')];
  const text = JSON.stringify({
    url: 'http://127.0.0.1:1',
    agents: { bot: { key: '$KEY', acp: command, hooks } },
  });
  const config = parseConfig(text).agents['bot']!;
  const mark = `ask-${process.pid}/`;
  const workspace = new Workspace({ root, name: 'bot', config }, 'A-1', mark);
  const stop = new Stop();
  await workspace.create(false, stop.now);
  const state = {
    sessionId: null,
    turns: 0,
    tokens: 0,
    costMicros: 0,
    reports: [],
    permissions: {},
    heard: [],
    pending: '',
    gates: {},
  };
  const turn = { proceed: true, reason: null, newComments: [], changed: [], answers: [], tools: [] };
  return {
    item: { issueId: 'i', token: 1, brief, issue: null, newComments: [], changed: [] },
    ...{ workspace, stop, mark, state, answers: [] },
    setup: {
      config,
      service: { ask, turn: () => Promise.resolve(turn), attachments: () => Promise.resolve([]) },
    },
    start: () => new Child({ command, cwd: workspace.folder, env: workspace.env, mark }),
    log: new RunLog(join(root, 'log.jsonl')),
    say: () => undefined,
    update: (change: object) => void Object.assign(state, change),
  } as unknown as Run;
}

describe('an agent beside hooks', () => {
  it('lives on while before_turn and after_run run', async () => {
    const job = await jobWith(() => Promise.reject(new Error('not asked')), '>> say done');
    expect(await new AcpDriver(job, connect).work()).toMatchObject({ status: 'Resolved', comment: 'done' });
  });
});

describe('a turn that is cancelled, because the issue has another agent', () => {
  it('has what it used reported, and leaves the issue alone', async () => {
    const job = await jobWith(() => Promise.reject(new Error('not asked')), '>> usage 700 1\n>> until never');
    const reported: number[] = [];
    const turn = (_issueId: string, _token: number, usage: UsageReport[]) => {
      reported.push(...usage.map(({ inputTokens }) => inputTokens));
      const refused = new Response(null, { status: 409 });
      Object.defineProperty(refused, 'url', { value: connect.url });
      return Promise.reject(new Refused(refused, { code: 'lease_lost' }));
    };
    Object.assign(job.setup.service, { turn });
    const outcome = new AcpDriver(job, connect).work();
    while (job.state.turns === 0) await sleep(20);
    job.stop.request('reassigned');
    expect(await outcome).toEqual({ kind: 'none', reason: 'reassigned' });
    expect(reported).toEqual([700]);
  });
});

describe('an agent that leaves a process in a session of its own', () => {
  it('ends together with it, also where that ignores SIGTERM', async () => {
    const job = await jobWith(() => Promise.reject(new Error('not asked')), '>> daemon pid\n>> until never');
    const file = join(job.workspace.folder, 'pid');
    const outcome = new AcpDriver(job, connect).work();
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(20);
    const pid = Number(readFileSync(file, 'utf8'));
    expect(startTimeOf(pid)).not.toBeNull();
    job.stop.request('reassigned');
    await outcome;
    expect(startTimeOf(pid)).toBeNull();
  });
});

describe('an agent that asks for a permission that a person has to give', () => {
  it('is parked once the question is open, and the gate is remembered', async () => {
    const job = await jobWith(() => Promise.resolve({ id: 'gate-1' }));
    expect(await new AcpDriver(job, connect).work()).toEqual({ kind: 'none', reason: 'waiting' });
    expect(job.state.gates).toEqual({ 'gate-1': digestOf('May I: Delete it') });
  });

  it('goes to a person with the question when none can be opened', async () => {
    const job = await jobWith(() => Promise.reject(new Error('not found')));
    expect(await new AcpDriver(job, connect).work()).toMatchObject({
      kind: 'finish',
      status: 'PendingReview',
      reason: 'The agent asks «May I: Delete it», and no question could be opened: not found',
    });
  });
});
