import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { RunLog } from '../src/run/run-log.js';
import { startReport } from '../src/run/run-report.js';
import type { Run } from '../src/run/run.js';

const folder = mkdtempSync(join(tmpdir(), 'awp-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A run that has used tokens under earlier leases, and whose log is attached already where `logId` is given. */
function aRun(logId: string | null, lastLog = '') {
  const reports: Record<string, unknown>[] = [];
  const replaced: (string | null)[] = [];
  const service = {
    report: (_id: string, report: Record<string, unknown>) => Promise.resolve(void reports.push(report)),
    upload(_id: string, _name: string, _bytes: Blob, replaces: string | null) {
      replaced.push(replaces);
      return Promise.resolve({ id: `log-${replaced.length}` });
    },
  };
  const before = { turns: 2, tokens: 100, costMicros: 5 };
  const state = { ...{ turns: 3, tokens: 130, costMicros: 12, sessionId: 's' }, before, logId, lastLog };
  const log = new RunLog(join(folder, `${logId}.jsonl`));
  const run = {
    ...{ item: { issueId: 'i', token: 7 }, state, log, output: 'the last line', setup: { service } },
    update: (change: object) => void Object.assign(state, change),
  };
  return { run: run as unknown as Run, log, reports, replaced };
}

describe('the log of a short run', () => {
  const ended = async (lastLog: string, { lines = ['give', ' back'], lasts = 0 } = {}) => {
    const { run, log, reports, replaced } = aRun(null, lastLog);
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
    const end = startReport(run);
    lines.forEach((line) => log.write('stdout', line));
    clock.mockReturnValue(now + lasts);
    await end('given back');
    clock.mockRestore();
    return { uploads: replaced.length, stopped: reports.at(-1)!['stopped'], lastLog: run.state.lastLog };
  };
  const first = () => ended('');

  it('is not attached again where the run before had the same log, however its output was split', async () => {
    const { lastLog, uploads } = await first();
    expect(uploads).toBe(1);
    const again = await ended(lastLog, { lines: ['give ', 'back'] });
    expect(again).toEqual({ uploads: 0, stopped: 'given back', lastLog });
  });

  it('is attached where it is another one, or the run lasted longer', async () => {
    const { lastLog } = await first();
    expect(await ended(lastLog, { lines: ['give it back'] })).toMatchObject({ uploads: 1 });
    expect(await ended(lastLog, { lasts: 2000 })).toMatchObject({ uploads: 1 });
  });
});

describe('the report of a run', () => {
  it('replaces the log that an earlier upload of the same lease attached', async () => {
    const { run, log, replaced } = aRun('log-0');
    const end = startReport(run);
    log.write('update', 'more');
    await end('done');
    expect(replaced).toEqual(['log-0']);
  });

  it('has the figures of this lease alone, and why it stopped', async () => {
    const { run, log, reports } = aRun(null);
    const end = startReport(run);
    log.write('update', 'more');
    await end('done');
    const figures = { token: 7, turns: 1, tokens: 30, costMicros: 7, output: 'the last line' };
    expect(reports[0]).toEqual({ ...figures, session: 's' });
    expect(reports.at(-1)).toEqual({ ...figures, session: 's', logId: 'log-1', stopped: 'done' });
  });
});
