import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CALLS, DELIVERIES, HOURS, JOURNAL, REPORTS, type Table } from './partitions-by-month/tables.js';

/** From which position a month takes those of the journal: 10^12 per month since January 2020 (decision 0046). */
const positionOf = (month: string): bigint => BigInt(indexOf(month)) * 1_000_000_000_000n;
const indexOf = (month: string): number =>
  (Number(month.slice(0, 4)) - 2020) * 12 + Number(month.slice(5)) - 1;
const monthAt = (index: number): string =>
  `${2020 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;

/** More are not needed: where the next month is missing, the present one and `later` go on (decision 0046). */
const MONTHS_AHEAD = 1;

/**
 * The tables that only grow get one partition per month. `journal_months` has the first position of each month of the
 * journal. `deleted_issues` has the project of an issue that was deleted, which until now only its journal rows had.
 */
export class PartitionsByMonth1764020001000 implements MigrationInterface {
  name = 'PartitionsByMonth1764020001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `LOCK TABLE issues, journal, webhook_deliveries, tool_calls, usage_reports, usage_hours IN ACCESS EXCLUSIVE MODE`,
    );
    await keepDeletedIssues(runner);
    await runner.query(
      `ALTER TABLE usage_reports ADD month date NOT NULL DEFAULT date_trunc('month', now() AT TIME ZONE 'UTC')`,
    );
    await runner.query(`UPDATE usage_reports SET month = date_trunc('month', at AT TIME ZONE 'UTC')`);
    const [{ month: present }] = await runner.query(
      `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AS month`,
    );
    const months = await journalMonths(runner, present);
    const bounds = months.map(({ month, from }, at) => ({
      month,
      from,
      to: months[at + 1]?.from ?? positionOf(monthAt(indexOf(month) + 1)),
    }));
    const [{ next }] = await runner.query(
      `SELECT (CASE WHEN is_called THEN last_value + 1 ELSE last_value END)::text AS next FROM journal_position_seq`,
    );
    await runner.query(`ALTER TABLE journal ALTER position DROP IDENTITY`);
    const start = [BigInt(next), months.at(-1 - MONTHS_AHEAD)!.from].reduce((a, b) => (a > b ? a : b));
    await runner.query(`CREATE SEQUENCE journal_position_seq START ${start}`);
    for (const table of [JOURNAL, DELIVERIES]) await partition(runner, table, bounds);
    await runner.query(`ALTER TABLE journal ALTER position SET DEFAULT nextval('journal_position_seq')`);
    await runner.query(`ALTER SEQUENCE journal_position_seq OWNED BY journal.position`);
    await recordMonths(runner, months.slice(0, -MONTHS_AHEAD), present);
    for (const table of [CALLS, REPORTS, HOURS])
      await partition(runner, table, await boundsByTime(runner, table, present));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name, plain } of [HOURS, REPORTS, CALLS, DELIVERIES])
      await rewrite(runner, name, '', [], plain);
    const [{ last }] = await runner.query(`SELECT last_value::text AS last FROM journal_position_seq`);
    await runner.query(`ALTER TABLE journal ALTER position DROP DEFAULT`);
    await rewrite(runner, 'journal', '', [], JOURNAL.plain);
    await runner.query(`ALTER TABLE journal ALTER position ADD GENERATED ALWAYS AS IDENTITY`);
    await runner.query(`SELECT setval(pg_get_serial_sequence('journal', 'position'), $1)`, [last]);
    await runner.query(`ALTER TABLE usage_reports DROP month`);
    await runner.query(`DROP TRIGGER issues_keep_deleted ON issues`);
    await runner.query(`DROP FUNCTION keep_deleted_issue`);
    await runner.query(`DROP TABLE deleted_issues, journal_months`);
  }
}

async function keepDeletedIssues(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE deleted_issues (
      id         uuid CONSTRAINT deleted_issues_pk PRIMARY KEY,
      project_id uuid NOT NULL
    )`);
  await runner.query(`
    INSERT INTO deleted_issues (id, project_id)
    SELECT DISTINCT ON (j.issue_id) j.issue_id, j.project_id FROM journal j
    WHERE j.issue_id IS NOT NULL AND j.project_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM issues i WHERE i.id = j.issue_id)
    ORDER BY j.issue_id, j.position`);
  await runner.query(`
    CREATE FUNCTION keep_deleted_issue() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO deleted_issues (id, project_id) VALUES (OLD.id, OLD.project_id) ON CONFLICT DO NOTHING;
      RETURN OLD;
    END $$`);
  await runner.query(`
    CREATE TRIGGER issues_keep_deleted BEFORE DELETE ON issues FOR EACH ROW EXECUTE FUNCTION keep_deleted_issue()`);
}

interface Month {
  month: string;
  from: bigint;
}

/** The months of the rows that exist by their first positions, the present one, and those ahead. */
async function journalMonths(runner: QueryRunner, present: string): Promise<Month[]> {
  const rows: { month: string; first: string }[] = await runner.query(`
    SELECT month, (min(first) OVER (ORDER BY month DESC))::text AS first FROM (
      SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, min(position) AS first FROM journal GROUP BY 1
    ) AS found ORDER BY month`);
  const found = rows
    .filter(({ month }) => month <= present)
    .map(({ month, first }) => ({ month, from: BigInt(first) }));
  const months = found.filter(({ from }, at) => from !== found[at + 1]?.from);
  if (months.at(-1)?.month !== present) months.push({ month: present, from: positionOf(present) });
  months[0]!.from = 0n;
  for (let ahead = 1; ahead <= MONTHS_AHEAD; ahead += 1) {
    const month = monthAt(indexOf(present) + ahead);
    months.push({ month, from: positionOf(month) });
  }
  return months;
}

async function recordMonths(runner: QueryRunner, months: Month[], present: string): Promise<void> {
  await runner.query(`
    CREATE TABLE journal_months (
      month         text CONSTRAINT journal_months_pk PRIMARY KEY,
      from_position bigint NOT NULL CONSTRAINT journal_months_position_unique UNIQUE,
      begun_at      timestamptz(3) NOT NULL
    )`);
  for (const { month, from } of months)
    await runner.query(
      `INSERT INTO journal_months VALUES ($1, $2, CASE WHEN $1 = $3 THEN now() ELSE ($1 || '-01T00:00:00Z')::timestamptz END)`,
      [month, String(from), from === positionOf(present) ? present : ''],
    );
}

interface Bounds {
  month: string;
  from: bigint | string;
  to: bigint | string;
}

/** One partition per month from the first row on, and one each for what lies before and after. */
async function boundsByTime(runner: QueryRunner, { name, key }: Table, present: string): Promise<Bounds[]> {
  const [{ first }] = await runner.query(
    `SELECT to_char(least(min(${key})::timestamptz AT TIME ZONE 'UTC', now() AT TIME ZONE 'UTC'), 'YYYY-MM') AS first FROM ${name}`,
  );
  const from = Math.max(indexOf(first), 0);
  const months = Array.from({ length: indexOf(present) + MONTHS_AHEAD - from + 1 }, (_, at) =>
    monthAt(from + at),
  );
  const startOf = (month: string) => `'${month}-01 00:00:00+00'`;
  const end = startOf(monthAt(indexOf(present) + MONTHS_AHEAD + 1));
  return [
    { month: 'earlier', from: 'MINVALUE', to: startOf(months[0]!) },
    ...months.map((month) => ({ month, from: startOf(month), to: startOf(monthAt(indexOf(month) + 1)) })),
    { month: 'later', from: end, to: 'MAXVALUE' },
  ];
}

function partition(runner: QueryRunner, { name, key, partitioned }: Table, bounds: Bounds[]): Promise<void> {
  const partitions = bounds.map(
    ({ month, from, to }) =>
      `CREATE TABLE ${name}_${month.replace('-', '_')} PARTITION OF ${name} FOR VALUES FROM (${from}) TO (${to})`,
  );
  return rewrite(runner, name, `PARTITION BY RANGE (${key})`, partitions, partitioned);
}

/** Moves the rows into a new table of the same columns. Indexes are made after the rows, which is several times faster. */
async function rewrite(
  runner: QueryRunner,
  name: string,
  by: string,
  before: string[],
  after: string[],
): Promise<void> {
  await runner.query(`ALTER TABLE ${name} RENAME TO ${name}_moved`);
  await runner.query(
    `CREATE TABLE ${name} (LIKE ${name}_moved INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE) ${by}`,
  );
  for (const statement of before) await runner.query(statement);
  await runner.query(`INSERT INTO ${name} SELECT * FROM ${name}_moved`);
  await runner.query(`DROP TABLE ${name}_moved`);
  for (const statement of after) await runner.query(statement);
}
