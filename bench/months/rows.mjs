// Fills the tables that grow, as if the service had run for some months. Each issue has 20 rows among 2,000 others.
import { monthAfter, monthOf, positionOf, startOf } from '../../dist/src/platform/partitions/partitions.js';
import { PARTITIONED_TABLES } from '../../dist/src/platform/partitions/partitions.js';

const TABLES = ['journal', 'tool_calls', 'webhook_deliveries'];
/** One call of a tool for so many rows of the journal. */
const ROWS_PER_CALL = 10;
/** One issue of so many exists; the others have rows of the journal alone. */
const ISSUES_PER_SAMPLE = 10;

let indexes = [];

/** Remembers the indexes, which are made after the rows. */
export async function prepareRows(client) {
  await client.query('SET statement_timeout = 0');
  await client.query(`SET maintenance_work_mem = '1GB'`);
  const { rows } = await client.query(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS made, con.conname, pg_get_constraintdef(con.oid) AS rule,
       indrelid::regclass::text AS "table"
     FROM pg_index LEFT JOIN pg_constraint con ON con.conindid = indexrelid AND con.contype IN ('p', 'u')
     WHERE indrelid::regclass::text = ANY($1)`,
    [TABLES],
  );
  indexes = rows;
}

/** Replaces all rows by `rows` of the journal in the last `months` months, and returns which issues to ask for. */
export async function growInto(client, { project, rows, months }) {
  const began = performance.now();
  const present = monthOf(new Date());
  const list = Array.from({ length: months }, (_, at) => monthAfter(present, at - months + 1));
  await empty(client, list);
  for (const { conname, name, table } of indexes)
    await client.query(conname ? `ALTER TABLE ${table} DROP CONSTRAINT ${conname}` : `DROP INDEX ${name}`);
  const perMonth = Math.round(rows / months);
  for (const [at, month] of list.entries())
    await fill(client, { project, month, rows: perMonth, first: at * perMonth });
  for (const { conname, rule, made, table } of indexes)
    await client.query(
      conname ? `ALTER TABLE ${table} ADD CONSTRAINT ${conname} ${rule}` : made.replace(' ON ONLY ', ' ON '),
    );
  await client.query(`SELECT setval('journal_position_seq', (SELECT max(position) FROM journal))`);
  await client.query('DELETE FROM issues WHERE project_id = $1', [project]);
  await client.query(ISSUES, [project, ISSUES_PER_SAMPLE]);
  await client.query(`VACUUM ANALYZE ${TABLES.join(', ')}, issues`);
  const ids = await client.query(
    'SELECT id FROM issues WHERE project_id = $1 ORDER BY md5(id::text) LIMIT 600',
    [project],
  );
  const size = await client.query(
    `SELECT pg_size_pretty(sum(pg_total_relation_size(inhrelid))) AS size FROM pg_inherits WHERE inhparent = 'journal'::regclass`,
  );
  return {
    issues: ids.rows.map(({ id }) => id),
    size: size.rows[0].size,
    months: list,
    seconds: (performance.now() - began) / 1000,
  };
}

async function empty(client, months) {
  await client.query('ALTER TABLE journal DISABLE TRIGGER journal_append_only');
  await client.query(`TRUNCATE ${TABLES.join(', ')}, journal_months`);
  await client.query('ALTER TABLE journal ENABLE TRIGGER journal_append_only');
  for (const { name, by } of PARTITIONED_TABLES.filter((table) => TABLES.includes(table.name))) {
    const { rows } = await client.query(
      'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass',
      [name],
    );
    for (const partition of rows) await client.query(`DROP TABLE ${partition.name}`);
    const make = (suffix, from, to) =>
      client.query(
        `CREATE TABLE ${name}_${suffix} PARTITION OF ${name} FOR VALUES FROM (${from}) TO (${to})`,
      );
    for (const month of [...months, monthAfter(months.at(-1))]) {
      const [from, to] = [month, monthAfter(month)].map((one) =>
        by === 'time' ? `'${startOf(one)}'` : positionOf(one),
      );
      await make(month.replace('-', '_'), from, to);
    }
    if (by === 'position') continue;
    await make('earlier', 'MINVALUE', `'${startOf(months[0])}'`);
    await make('later', `'${startOf(monthAfter(months.at(-1), 2))}'`, 'MAXVALUE');
  }
  for (const month of months)
    await client.query('INSERT INTO journal_months VALUES ($1, $2, $3)', [
      month,
      positionOf(month),
      startOf(month),
    ]);
}

async function fill(client, { project, month, rows, first }) {
  const until = new Date(Math.min(Date.parse(`${monthAfter(month)}-01T00:00:00Z`), Date.now())).toISOString();
  const values = [startOf(month), until, rows, first];
  await client.query(JOURNAL.replaceAll('journal_month', `journal_${month.replace('-', '_')}`), [
    ...values,
    project,
    positionOf(month),
  ]);
  await client.query(CALLS, [...values.slice(0, 2), Math.ceil(rows / ROWS_PER_CALL), first]);
}

/** A valid UUID for a number; as with those of the service, later ones are greater. @param number SQL */
export const uuid = (number) => `('00000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

const AT = `$1::timestamptz + ($2::timestamptz - $1::timestamptz) * (n::float8 / ($3::int + 1))`;
const ISSUE = `((n + $4::int) / 2000 * 100 + (n + $4::int) % 100)`;
/** Time and number, as in the UUIDs of the journal. */
const ID = `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n + $4::int), 12, '0'))::uuid`;

const JOURNAL = `
  INSERT INTO journal_month (position, id, transaction_id, created_at, type, actor_type, actor_id, actor_name, subject_type,
    subject_id, project_id, issue_id, data, request_id)
  SELECT $6::bigint + n, ${ID}, '3'::xid8, at,
    CASE WHEN n % 100000 = 4 THEN 'user.created' WHEN n % 2000 < 100 THEN 'issue.created' ELSE (ARRAY['issue.updated', 'comment.created', 'issue.status_changed', 'issue.picked_up', 'login.succeeded'])[1 + n % 5] END,
    'user', ${uuid('n % 500')}, 'Person ' || n % 500, CASE n % 5 WHEN 4 THEN 'user' ELSE 'issue' END,
    CASE n % 5 WHEN 4 THEN ${uuid('n % 500')} ELSE ${uuid(ISSUE)} END::text, CASE WHEN n % 5 < 4 THEN $5::uuid END,
    CASE WHEN n % 5 < 4 THEN ${uuid(ISSUE)} END,
    '{"title": {"from": "What it was called before", "to": "What it is called now"}, "version": 7}', '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11'
  FROM (SELECT n, ${AT} AS at FROM generate_series(1, $3::int) AS n) AS rows`;

const CALLS = `
  INSERT INTO tool_calls (id, called_at, agent_id, issue_id, server_id, server_name, tool, argument_shape, result, duration_ms, outcome)
  SELECT gen_random_uuid(), ${AT}, ${uuid('n % 200')}, ${uuid(ISSUE)}, ${uuid('n % 20')}, 'Server ' || n % 20,
    'tool_' || n % 50, '{"path": "string", "limit": "number"}', 'ok', n % 900, 'ok'
  FROM generate_series(1, $3::int) AS n`;

const ISSUES = `
  INSERT INTO issues (id, project_id, number, title, status, priority, created_by_type, created_by_name, created_at, updated_at)
  SELECT j.issue_id, $1, row_number() OVER (), 'Issue', 'Closed', 1, 'user', 'Bench', min(j.created_at), max(j.created_at)
  FROM journal j WHERE j.type = 'issue.created' AND j.issue_id IS NOT NULL AND ('x' || right(j.issue_id::text, 7))::bit(28)::int % $2::int = 0
  GROUP BY j.issue_id`;
