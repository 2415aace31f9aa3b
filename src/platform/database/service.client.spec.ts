import { afterEach, expect, it } from '@jest/globals';
import type { Span } from '@opentelemetry/api';
import { setSpanStarter, startRootSpan, withSpan } from '../tracing/spans.js';
import { tracedRead, tracedStatement } from './service.client.js';

afterEach(() => setSpanStarter(null));

/** Returns the names and attributes of the spans that the work starts. */
async function spansOf(work: () => Promise<unknown>) {
  const spans: { name: string; attributes: unknown }[] = [];
  const span = { isRecording: () => true, end: () => undefined } as unknown as Span;
  setSpanStarter({
    start: (name, { attributes }) => {
      spans.push({ name, attributes });
      return span;
    },
  });
  await withSpan(startRootSpan('request', {})!, work);
  return spans.slice(1);
}

it.each([
  ['SELECT a, b FROM issues i WHERE i.id = $1', 'SELECT issues'],
  ['\n  INSERT INTO comments (id, content) VALUES ($1, $2)', 'INSERT comments'],
  ['update agents SET name = $1', 'UPDATE agents'],
  ['DELETE FROM sessions WHERE id = $1', 'DELETE sessions'],
  ['WITH found AS (SELECT 1) SELECT * FROM found', 'WITH'],
  ['SELECT pg_advisory_xact_lock($1)', 'SELECT'],
  ['-- a comment', 'SQL'],
])('names %j by its operation and table', async (sql, name) => {
  expect(await spansOf(() => tracedStatement(null, sql, async () => null))).toMatchObject([{ name }]);
});

it('names a prepared statement by its name, and never gives the text', async () => {
  const sql = `SELECT secret FROM vault WHERE word = 'hunter2'`;
  const spans = await spansOf(() => tracedStatement('vault_word', sql, async () => null));
  expect(spans).toEqual([
    {
      name: 'vault_word',
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': 'SELECT',
        'db.query.summary': 'vault_word',
      },
    },
  ]);
});

it('marks a read that shares its statement with those of other requests', async () => {
  const spans = await spansOf(() => tracedRead('rights', async () => null));
  expect(spans).toMatchObject([{ name: 'rights', attributes: { 'awp.shared_statement': true } }]);
});
