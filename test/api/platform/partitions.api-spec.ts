import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { CallHistoryRepository } from '../../../src/gateway/call-history/call-history.service.js';
import { AuditRepository } from '../../../src/platform/audit/audit-filters-and-subjects.repository.js';
import { JournalMonthsService } from '../../../src/platform/journal/journal-rows-and-months.repository.js';
import { MonthTurnService } from '../../../src/platform/partitions/month-turn.worker.js';
import {
  monthAfter,
  monthOf,
  partitionsOf,
  positionOf,
  TOOL_CALLS,
} from '../../../src/platform/partitions/partitions.js';
import { TimelineRepository } from '../../../src/work/issue-reading/timeline.repository.js';
import { anIssue, aProject, createdBy } from '../../support/builders.js';
import { asAdmin, asEditor } from '../../support/callers.js';
import { OneConnection, writeCall, writeJournal } from '../../support/database-of.js';
import { EventStream } from '../../support/event-stream.js';
import { createDatabase } from '../../support/postgres.mjs';
import { refused } from '../../support/refusal.js';
import { type Service, startService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { WebhookTarget } from '../../support/webhook-target.js';

const present = monthOf(new Date());
const months = [1, 2, 3].map((count) => monthAfter(present, count)) as [string, string, string];
const suffix = (month: string) => month.replace('-', '_');
describe('the partitions of a month', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let one: OneConnection;
  let turn: MonthTurnService;
  beforeAll(async () => {
    database = await createDatabase();
    one = await OneConnection.open(database.url);
    turn = new MonthTurnService(one.source, one.transactions);
  });
  afterAll(async () => {
    await one.end();
    await database.drop();
  });

  it('take the rows of the journal from the turn on, in the order of their positions', async () => {
    await writeJournal(one, 'before');
    const other = await OneConnection.open(database.url);
    const second = new MonthTurnService(other.source, other.transactions);
    await Promise.all([turn.turn(months[0]), second.turn(months[0])]);
    await other.end();
    await writeJournal(one, 'after');
    await turn.turn(months[0]);
    await turn.turn(present);
    await writeJournal(one, 'again');
    const rows = await one.rows<{ type: string; place: string; position: string }>(
      `SELECT type, tableoid::regclass::text AS place, position FROM journal ORDER BY position`,
    );
    expect(rows.map(({ type, place }) => [type, place])).toEqual([
      ['before', `journal_${suffix(present)}`],
      ['after', `journal_${suffix(months[0])}`],
      ['again', `journal_${suffix(months[0])}`],
    ]);
    expect(Number(rows[1]!.position)).toBe(positionOf(months[0]));
  });

  it('are not needed for a write: what came before them moves into them', async () => {
    await writeCall(one, `${months[2]}-15T00:00:00Z`);
    await writeCall(one, '2020-03-31T23:59:59Z');
    const place = async () =>
      (
        await one.rows<{ place: string }>(
          `SELECT tableoid::regclass::text AS place FROM tool_calls ORDER BY called_at`,
        )
      ).map((row) => row.place);
    expect(await place()).toEqual(['tool_calls_earlier', 'tool_calls_later']);
    await turn.turn(months[2]);
    expect(await place()).toEqual(['tool_calls_earlier', `tool_calls_${suffix(months[2])}`]);
    const made = (await partitionsOf(one, TOOL_CALLS)).map(({ month }) => month);
    expect(made).toEqual([present, ...months, monthAfter(months[2])]);
  });

  it('are read only where they can have rows of the page', async () => {
    const journal = new JournalMonthsService(one.source);
    const year = Number(present.slice(0, 4));
    const old = randomUUID();
    const begun = (month: string, at: Date) =>
      one.rows(`UPDATE journal_months SET begun_at = $1 WHERE month = $2`, [at, month]);
    await begun(present, new Date(Date.UTC(year - 1, 0, 1)));
    await begun(months[0], new Date(Date.UTC(year - 1, 6, 1)));
    await begun(months[2], new Date(Date.now() - 3 * 86_400_000));
    for (let row = 0; row < 60; row += 1) await writeJournal(one, 'issue.updated', old);
    const timeline = new TimelineRepository(one.pages, journal);
    const audit = new AuditRepository(one.pages, journal);
    const calls = new CallHistoryRepository(one.pages);
    const owner = { type: 'user', id: randomUUID(), role: 'Owner' } as never;
    const page = { limit: 10, after: null, countUpTo: null };
    const issue = { id: old, createdAt: new Date() };
    const read = (work: () => Promise<unknown>) => one.partitionsRead('journal', work);
    expect(await read(() => timeline.list(owner, issue, page))).toEqual([`journal_${suffix(months[2])}`]);
    expect(await read(() => audit.list({}, page))).not.toContain(`journal_${suffix(present)}`);
    const window = { from: new Date(Date.UTC(year - 1, 2, 1)), to: new Date(Date.UTC(year - 1, 3, 1)) };
    expect(await read(() => audit.list(window, page))).toEqual([`journal_${suffix(present)}`]);
    await one.rows(
      `INSERT INTO tool_calls (id, called_at, server_id, server_name, tool, argument_shape, result, duration_ms)
       SELECT gen_random_uuid(), date_trunc('month', now()) + n * interval '1 second', gen_random_uuid(), 'x', 'x', '{}', 'ok', 1
       FROM generate_series(1, 3000) AS n`,
    );
    await one.rows('ANALYZE tool_calls');
    expect(await one.partitionsRead('tool_calls', () => calls.list({}, page))).not.toContain(
      'tool_calls_earlier',
    );
    const march = { from: new Date(Date.UTC(2020, 2, 1)), to: new Date(Date.UTC(2020, 3, 1)) };
    expect(await one.partitionsRead('tool_calls', () => calls.list(march, page))).toEqual([
      'tool_calls_earlier',
    ]);
  });
});

describe('the audit of a window of time', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let one: OneConnection;
  beforeAll(async () => {
    database = await createDatabase();
    one = await OneConnection.open(database.url);
  });
  afterAll(async () => {
    await one.end();
    await database.drop();
  });

  /** One row per minute of the last 20 days. Each fifth one is of a transaction that began 10 minutes before. */
  const fill = () =>
    one.rows(
      `INSERT INTO journal (id, created_at, type, actor_type, actor_name, subject_type)
       SELECT gen_random_uuid(), now() - n * interval '1 minute' - (n % 5 = 0)::int * interval '10 minutes', 'test', 'system', 'system', 'test'
       FROM generate_series(28800, 1, -1) AS n`,
    );

  it('has every row of it, and reads an hour beside it at most', async () => {
    await fill();
    const journal = new JournalMonthsService(one.source);
    const within = async (first: number, end: number, from?: Date, to?: Date) => {
      const [row] = await one.rows<{ wanted: number; read: number; found: number }>(
        `SELECT count(*) FILTER (WHERE is_wanted)::int AS wanted, count(*) FILTER (WHERE is_within)::int AS read,
           count(*) FILTER (WHERE is_wanted AND is_within)::int AS found
         FROM (SELECT created_at >= $3 AND created_at < $4 AS is_wanted, position >= $1 AND position < $2 AS is_within FROM journal) AS rows`,
        [first, end, from ?? new Date(0), to ?? new Date('2100-01-01')],
      );
      return row!;
    };
    const at = (days: number) => new Date(Date.now() - days * 86_400_000);
    const windows: [Date | undefined, Date | undefined][] = [
      [at(10), at(9)],
      [at(3.2), at(3.19)],
      [at(30), at(19.5)],
      [at(0.5), undefined],
      [undefined, at(19)],
      [at(-1), undefined],
      [at(90), at(60)],
    ];
    for (const [from, to] of windows) {
      const { first, end } = await journal.window(from, to);
      const { wanted, read, found } = await within(first, end, from, to);
      expect([from, to, found]).toEqual([from, to, wanted]);
      expect(read).toBeLessThanOrEqual(wanted + 2 * 80);
    }
  });

  it('has what is written between the look and the list', async () => {
    const journal = new JournalMonthsService(one.source);
    const { end } = await journal.window(undefined, new Date(Date.now() + 60_000));
    await writeJournal(one, 'later');
    const [row] = await one.rows<{ position: string }>(`SELECT position FROM journal WHERE type = 'later'`);
    expect(Number(row!.position)).toBeLessThan(end);
  });
});

describe('the turn of a month', () => {
  let service: Service;
  let target: WebhookTarget;
  beforeAll(async () => {
    target = await WebhookTarget.start();
    service = await startService({ settings: { OUTBOUND_ALLOWED_HOSTS: target.host } });
  });
  afterAll(async () => {
    await service.remove();
    await target.stop();
  });

  it('is passed by event streams, by webhooks and by a timeline', async () => {
    const editor = await asEditor(service);
    await createdBy(await asAdmin(service), '/api/webhooks', { url: target.url });
    const project = await aProject(editor);
    const issue = await anIssue(editor, project);
    const stream = await EventStream.open(editor);
    const one = await OneConnection.open(service.databaseUrl);
    await new MonthTurnService(one.source, one.transactions).turn(months[0]);
    await one.end();
    const later = await anIssue(editor, project);
    await editor.put(`/api/projects/issues/${issue.id}`, { title: 'After the turn' });
    expect(await stream.next(({ subject }) => subject.id === later.id)).toBeTruthy();
    expect(await until(() => target.of(issue.id).length === 2 && target.of(later.id).length === 1)).toBe(
      true,
    );
    const activity = await editor.get<{ type: string }[]>(`/api/projects/issues/${issue.id}/activity`);
    expect(activity.body.map(({ type }) => type)).toEqual(['issue.created', 'issue.updated']);
    const resumed = await EventStream.open(editor, stream.events.at(-1)!.id);
    const last = await anIssue(editor, project);
    expect((await resumed.next(() => true)).subject.id).toBe(last.id);
    for (const open of [stream, resumed]) open.close();
  });

  it('is followed by streams from a kept event on, and one before it is 410', async () => {
    const editor = await asEditor(service);
    const stream = await EventStream.open(editor);
    stream.close();
    await anIssue(editor, await aProject(editor));
    await service.sql(
      'UPDATE journal_pruned SET position = (SELECT max(position) FROM journal), until = now()',
    );
    const gone = refused(410, 'events_gone');
    expect(await editor.get(`/api/events?lastEventId=${encodeURIComponent(stream.lastId)}`)).toMatchObject(
      gone,
    );
    expect(await editor.get(`/api/events?lastEventId=${uuidv7()}`)).toMatchObject(gone);
    const unknown = refused(400, 'validation_failed', 'Last-Event-ID');
    expect(await editor.get(`/api/events?lastEventId=${randomUUID()}`)).toMatchObject(unknown);
  });
});
