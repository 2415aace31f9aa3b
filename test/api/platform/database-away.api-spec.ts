import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, anIssue, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { DurablePostgres } from '../../support/durable-postgres.js';
import { ReconnectingReader } from '../../support/reconnecting-reader.js';
import { Load } from '../../support/load.js';
import { refused } from '../../support/refusal.js';
import { startService, type Service } from '../../support/service.js';
import { expectAllDelivered } from '../../support/delivered-events.js';
import { until } from '../../support/until.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 20 : 3;
/** The contract says 5 s; a busy machine may take longer to notice. */
const WITHIN_MS = 9_000;

/** Work that looks at the database by itself, several times per second in all. */
const BACKGROUND = ['GateExpiryWorker', 'DueExecutionsWorker', 'UsageBatchesWorker'];

/** Each cause is one line until the work succeeds again; a line of a later minute has the number of failures. */
function expectFewLines(lines: readonly LogLine[]): void {
  /** When each cause that is not over was logged last. */
  const open = new Map<string, number>();
  let begun = 0;
  for (const { context = '', msg = '', failures, time } of lines) {
    if (!BACKGROUND.includes(context)) continue;
    const ended = /^It is over after \d+ s: (.*)\.$/.exec(msg)?.[1];
    if (ended !== undefined) {
      for (const line of open.keys()) if (line.startsWith(`${context} ${ended}`)) open.delete(line);
      continue;
    }
    const before = open.get(`${context} ${msg}`);
    if (before !== undefined) expect(Date.parse(time) - before).toBeGreaterThan(59_000);
    expect(failures === undefined).toBe(before === undefined);
    open.set(`${context} ${msg}`, Date.parse(time));
    begun += 1;
  }
  expect(begun).toBeGreaterThan(0);
  expect([...open]).toEqual([]);
}

/** An outage begins and ends with a line of its own, and its refusals are warnings. */
async function expectOutagesLogged(service: Service): Promise<void> {
  const lines = () =>
    service.log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
  const count = (text: string) => lines().filter(({ msg }) => msg?.includes(text) === true).length;
  expect(count('The database cannot be reached')).toBeGreaterThan(0);
  await until(
    () =>
      Promise.resolve(count('The database cannot be reached') === count('The database can be reached again')),
    20,
  );
  const refusals = lines().filter(({ context, status }) => context === 'Request' && status === 503);
  expect(new Set(refusals.map(({ level }) => level))).toEqual(new Set(['warn']));
  await until(() => allOver(lines()), 20);
  expectFewLines(lines());
}

/** Whether the last line of each background work says that its failure is over. */
function allOver(lines: readonly LogLine[]): boolean {
  return BACKGROUND.every((context) => {
    const last = lines.filter((line) => line.context === context).at(-1);
    return last === undefined || last.msg?.startsWith('It is over') === true;
  });
}

interface LogLine {
  level: string;
  time: string;
  failures?: number;
  context?: string;
  msg?: string;
  status?: number | string;
}

describe('a database that goes away', () => {
  let postgres: DurablePostgres;
  let proxy: DatabaseProxy;
  let service: Service;
  let editor: Caller;
  let project: Project;
  let reader: ReconnectingReader | null = null;
  let load: Load | null = null;
  beforeAll(async () => {
    postgres = await DurablePostgres.start();
    const database = await postgres.createDatabase('away');
    proxy = await DatabaseProxy.before(database.url);
    service = await startService({ ownProcess: true, database, settings: { DATABASE_URL: proxy.url } });
    editor = await asEditor(service);
    project = await aProject(editor);
  });
  afterAll(async () => {
    await load?.abandon();
    await reader?.stop();
    await service?.remove();
    await proxy?.stop();
    await postgres?.remove();
  });

  /** How it becomes unreachable, and how it comes back. */
  const ways: [() => unknown, () => Promise<void>][] = [
    [() => postgres.stopImmediately(), () => postgres.startAgain()],
    [() => proxy.swallow(), () => proxy.giveBack()],
    [() => proxy.stop(), () => proxy.giveBack()],
  ];

  it(
    'stopped or out of reach, is a 503 that says when to try again; the process lives, is ready by itself, and has lost nothing',
    async () => {
      const { pid } = service;
      reader = await ReconnectingReader.begin(editor.unchecked());
      const agent = await asAgent(service, { maxConcurrentIssues: 1000 });
      load = Load.begin(service, [{ editor, agent }], project);
      for (let round = 0; round < ROUNDS; round += 1) {
        const [takeAway, giveBack] = ways[round % ways.length]!;
        await load.goesOn();
        const kept = await anIssue(editor, project);
        load.made.push(kept.id);
        await takeAway();
        await expectRefusals();
        expect((await editor.get('/livez')).status).toBe(200);
        await giveBack();
        await until(async () => (await editor.get('/readyz')).status === 200, 20);
        expect((await editor.get(`/api/projects/issues/${kept.id}`)).status).toBe(200);
      }
      await load.goesOn();
      await load.end();
      expect(service.pid).toBe(pid);
      await expectOutagesLogged(service);
      await load.expectKept();
      await expectAllDelivered(reader, service, project);
    },
    60_000 + ROUNDS * 30_000,
  );

  async function expectRefusals(): Promise<void> {
    const begun = Date.now();
    const answers = await Promise.all(
      [1, 2, 3].map(() => editor.post<Issue>(`/api/projects/${project.id}/issues`, { title: 'unsure' })),
    );
    expect(Date.now() - begun).toBeLessThan(WITHIN_MS);
    for (const answer of answers)
      expect(answer).toMatchObject({
        ...refused(503, 'unavailable'),
        headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      });
  }
});
