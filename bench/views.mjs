// Measures the views of a dashboard on 100,000 issues with 2,000 causes, a chain of 5,000 and a fan of 2,000 (see README.md).
import { randomUUID } from 'node:crypto';
import { ensureBuilt, ensureInstalled } from '../scripts/ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
const { openArena } = await import('./arena.mjs');
const { measure } = await import('./measure.mjs');
const { hashOfKey, makeApiKey } =
  await import('../dist/src/platform/authentication/key-format-and-authentication.service.js');

/** The least rate of GET /api/attention, as a share of the rate of reading one issue. */
const LEAST_SHARE = 0.2;
const GRAPH_P95_MS = 100;
const ROUNDS = 3;
const CHAIN = 5_000;
const FAN = 2_000;
const CALLERS = 64;

const arena = await openArena({ issues: 100_000 });
try {
  await fill(arena);
  const [shares, p95] = [await attentionShares(await manyKeys(arena)), await graphP95()];
  for (const [who, share] of Object.entries(shares))
    console.log(`attention, ${who}: ${share.toFixed(2)} of the rate of GET issue (at least ${LEAST_SHARE})`);
  for (const by of ['status', 'agent', 'goal', 'blocker', 'root'])
    console.log(`groups by ${by}: median ${(await groupMedian(by)).toFixed(0)} ms`);
  console.log(`graph: p95 ${p95.toFixed(0)} ms (below ${GRAPH_P95_MS} ms on a quiet machine)`);
  if (Object.values(shares).some((share) => share < LEAST_SHARE) || p95 >= GRAPH_P95_MS) process.exitCode = 1;
} finally {
  await arena.close();
}

/** Leaves 2,000 issues in review, each of which blocks two others, and adds a chain and a fan. */
async function fill({ client, project }) {
  const link = (pairs) =>
    client.query(
      `INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, created_by_type, created_by_name)
       SELECT gen_random_uuid(), s.id, t.id, 'Blocks', 'user', 'Bench' FROM (${pairs}) AS pair(source, target)
       JOIN issues s ON s.project_id = $1 AND s.number = pair.source
       JOIN issues t ON t.project_id = $1 AND t.number = pair.target`,
      [project],
    );
  await client.query(
    `UPDATE issues SET status = 'Resolved' WHERE status = 'PendingReview' AND number > 10000`,
  );
  await link(
    `SELECT n * 5 + 2, 20000 + n * 2 + side FROM generate_series(0, 1999) n, generate_series(0, 1) side`,
  );
  await link(`SELECT 30000 + n, 30001 + n FROM generate_series(0, ${CHAIN - 2}) n`);
  await link(`SELECT 40000, 40000 + n FROM generate_series(1, ${FAN}) n`);
  await client.query(
    `UPDATE issues SET status = 'Open' WHERE number BETWEEN 20000 AND 50000 AND status <> 'Open'`,
  );
  await client.query(
    `UPDATE issues SET status = 'WaitingOnDependency' WHERE id IN (SELECT target_issue_id FROM issue_links)`,
  );
  await client.query('VACUUM ANALYZE');
}

/** People of all roles, each with a membership, so that no two see the same by the same right. */
async function manyKeys({ client, project }) {
  const keys = Array.from({ length: CALLERS }, () => ({ id: randomUUID(), key: makeApiKey('user') }));
  for (const [at, { id, key }] of keys.entries()) {
    await client.query(`INSERT INTO users (id, email, name, role) VALUES ($1, $2, 'Bench', $3)`, [
      ...[id, `${id}@example.com`],
      ['Viewer', 'Editor', 'Admin'][at % 3],
    ]);
    await client.query(
      `INSERT INTO api_keys (id, user_id, name, prefix, hash) VALUES ($1, $2, 'bench', 'awp_u_', $3)`,
      [randomUUID(), id, hashOfKey(key)],
    );
    await client.query(`INSERT INTO project_members (project_id, user_id, role) VALUES ($1, $2, 'Editor')`, [
      project,
      id,
    ]);
  }
  return keys.map(({ key }) => key);
}

async function attentionShares(keys) {
  const headersOf = (key) => ({ authorization: `Bearer ${key}` });
  const headers = headersOf(arena.ownerKey);
  const attention = (keyOf) => ({
    requests: (_, connection) => [
      { method: 'GET', path: '/api/attention', headers: headersOf(keyOf(connection)) },
    ],
  });
  const cases = {
    get: {
      requests: () => arena.ids.map((id) => ({ method: 'GET', path: `/api/projects/issues/${id}`, headers })),
    },
    'one caller': attention(() => arena.ownerKey),
    [`${CALLERS} callers`]: attention((connection) => keys[connection % keys.length]),
  };
  const rates = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, one] of Object.entries(cases)) {
      const sample = await measure(arena, arena.service, one);
      if (sample.faults > 0) throw new Error(`${sample.faults} responses of ${name} were not 2xx`);
      rates[name].push(sample.perSecond);
    }
  const { get, ...others } = Object.fromEntries(
    Object.entries(rates).map(([name, found]) => [name, median(found)]),
  );
  console.log(`GET issue: ${get.toFixed(0)}/s`);
  return Object.fromEntries(Object.entries(others).map(([name, rate]) => [name, rate / get]));
}

/** One request after another: the whole project, the middle of the chain, and the head of the fan. */
async function graphP95() {
  const times = [];
  for (let at = 0; at < 150; at += 1) {
    const part = ['', '&focus=BENCH-32500&depth=6', '&focus=BENCH-40000&depth=6'][at % 3];
    const start = performance.now();
    const response = await fetch(`${arena.service.url}/api/projects/BENCH/graph?limit=500${part}`, {
      headers: { authorization: `Bearer ${arena.ownerKey}` },
    });
    const { nodes } = await response.json();
    times.push(performance.now() - start);
    if (nodes.length > 500 || nodes.length < 13) throw new Error(`${nodes.length} nodes`);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)];
}

/** One request after another: the counts of the whole project. */
async function groupMedian(by) {
  const times = [];
  for (let at = 0; at < 15; at += 1) {
    const start = performance.now();
    const response = await fetch(`${arena.service.url}/api/projects/BENCH/issues/groups?by=${by}`, {
      headers: { authorization: `Bearer ${arena.ownerKey}` },
    });
    const { groups } = await response.json();
    times.push(performance.now() - start);
    if (groups.length === 0) throw new Error(`no groups by ${by}`);
  }
  return median(times);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
