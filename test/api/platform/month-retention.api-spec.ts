import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  deliveriesRule,
  journalRule,
} from '../../../src/gateway/event-stream/timeline-journal-and-delivery-retention.worker.js';
import { toolCallsRule } from '../../../src/mcp/server-tools/tool-call-records-and-retention.repository.js';
import type { ChoresWorker } from '../../../src/platform/chores/chores.worker.js';
import type { Settings } from '../../../src/platform/config/settings.js';
import {
  MonthRetentionService,
  type MonthRule,
} from '../../../src/platform/partitions/month-retention.service.js';
import { MonthTurnService } from '../../../src/platform/partitions/month-turn.worker.js';
import {
  attachRange,
  carveMonth,
  DELIVERIES,
  JOURNAL,
  monthAfter,
  monthOf,
  type PartitionedTable,
  partitionName,
  partitionsOf,
  positionOf,
  TOOL_CALLS,
} from '../../../src/platform/partitions/partitions.js';
import { OneConnection, writeCall, writeJournal } from '../../support/database-of.js';
import { createDatabase } from '../../support/postgres.mjs';

const present = monthOf(new Date());
const next = monthAfter(present);
const suffix = (month: string) => month.replace('-', '_');

describe('the retention of months', () => {
  const OLD = '2025-01';
  const days = { deliveryRetentionDays: 365, timelineRetentionDays: 365 };
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let one: OneConnection;
  const retention = (retentionArchive = false) => {
    const turn = new MonthTurnService(one.source, one.transactions);
    const nothing = { add: () => undefined } as unknown as ChoresWorker;
    return new MonthRetentionService(nothing, one.source, turn, { retentionArchive } as Settings);
  };
  const drop = (rule: MonthRule, isArchived?: boolean) =>
    retention(isArchived).dropOld(rule, async () => undefined);
  const monthsOf = async (table: PartitionedTable) =>
    (await partitionsOf(one, table)).map(({ month }) => month);

  /** A database whose first month is long past. */
  beforeAll(async () => {
    database = await createDatabase();
    one = await OneConnection.open(database.url);
    for (const table of [JOURNAL, DELIVERIES]) {
      await one.rows(`DROP TABLE ${partitionName(table, present)}`);
      await attachRange(one, table, { month: OLD, from: '0', to: String(positionOf(present)) });
    }
    for (let row = 0; row < 3; row += 1) await writeJournal(one, 'old');
    await one.rows('ALTER TABLE journal DISABLE TRIGGER journal_append_only');
    await one.rows(`UPDATE journal SET created_at = '2025-01-15'`);
    await one.rows('ALTER TABLE journal ENABLE TRIGGER journal_append_only');
    await one.rows(`UPDATE journal_months SET month = $1, begun_at = '2025-01-01'`, [OLD]);
    await new MonthTurnService(one.source, one.transactions).turn(present);
    await writeJournal(one, 'new');
  });
  afterAll(async () => {
    await one.end();
    await database.drop();
  });

  it('keeps a month of which a webhook has still to receive, or the log of deliveries still needs, an event', async () => {
    await one.rows(
      `INSERT INTO webhooks (id, url, since_position) VALUES (gen_random_uuid(), 'https://example.com', 0)`,
    );
    await drop(deliveriesRule(days));
    await drop(journalRule(days));
    expect([await monthsOf(DELIVERIES), await monthsOf(JOURNAL)]).toEqual([
      [OLD, present, next],
      [OLD, present, next],
    ]);
    await one.rows('UPDATE webhook_feed SET position = (SELECT max(position) FROM journal)');
    await one.rows(
      `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_position, type, lane, created_at)
       SELECT gen_random_uuid(), w.id, j.id, j.position, j.type, 'x', j.created_at FROM webhooks w, journal j WHERE j.type = 'old'`,
    );
    await drop(deliveriesRule(days));
    expect(await monthsOf(DELIVERIES)).toContain(OLD);
    await one.rows(`UPDATE webhook_deliveries SET status = 'succeeded'`);
    await drop(journalRule(days));
    expect(await monthsOf(JOURNAL)).toContain(OLD);
  });

  it('keeps a month that is young, not archived, or restored', async () => {
    await drop(deliveriesRule({ ...days, deliveryRetentionDays: 36_500 }));
    await drop(deliveriesRule(days), true);
    await one.rows(
      `INSERT INTO archived_months VALUES ('webhook_deliveries', $1, '0', '1', 3, 'x', now(), now(), now())`,
      [OLD],
    );
    await drop(deliveriesRule(days));
    expect(await monthsOf(DELIVERIES)).toContain(OLD);
    await one.rows('UPDATE archived_months SET restored_at = NULL');
    await drop(deliveriesRule(days), true);
    expect(await monthsOf(DELIVERIES)).toEqual([present, next]);
    await drop(journalRule(days));
    expect(await monthsOf(JOURNAL)).toEqual([present, next]);
    expect(await one.rows('SELECT type FROM journal')).toEqual([{ type: 'new' }]);
  });

  it('leaves no time without a partition', async () => {
    const rule = toolCallsRule({ auditRetentionDays: 365 });
    await one.transactions.run(() => carveMonth(one, TOOL_CALLS, OLD));
    await writeCall(one, `${OLD}-15T00:00:00Z`);
    await writeCall(one, `${present}-01T00:00:00Z`);
    await drop(rule);
    const first = (await monthsOf(TOOL_CALLS))[0]!;
    expect(first > OLD && first <= present).toBe(true);
    await writeCall(one, `${OLD}-16T00:00:00Z`);
    expect(
      await one.rows('SELECT tableoid::regclass::text AS place FROM tool_calls ORDER BY called_at'),
    ).toEqual([{ place: 'tool_calls_earlier' }, { place: `tool_calls_${suffix(present)}` }]);
  });
});
