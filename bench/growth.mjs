import { randomUUID } from 'node:crypto';
import { addIssues } from './seed.mjs';

const CALLS = 300;

/** Compares the median time of a page of 50 in a project of 10,000 issues and of 1,000,000 (`--rows`). */
export async function growth(arena) {
  const rows = Number(process.argv[process.argv.indexOf('--rows') + 1]) || 1_000_000;
  const project = randomUUID();
  await arena.client.query(`INSERT INTO projects (id, key, name) VALUES ($1, 'GROWTH', 'Growth')`, [project]);
  await addIssues(arena.client, project, 1, 10_000);
  await settle(arena);
  const small = await medianOf(arena, project);
  await addIssues(arena.client, project, 10_001, rows);
  await settle(arena);
  const large = await medianOf(arena, project);
  console.log(
    `${'growth'.padEnd(16)}a page of 50: ${small.toFixed(2)} ms of 10,000, ${large.toFixed(2)} ms of ${rows}: ratio ${(large / small).toFixed(2)}`,
  );
}

/** Does now what the database would do in the background about so many new rows while pages are timed. */
async function settle({ client }) {
  await client.query('VACUUM ANALYZE issues, issue_words');
}

async function medianOf({ service, ownerKey }, project) {
  const times = [];
  for (let call = 0; call < CALLS; call++) {
    const start = performance.now();
    const answer = await fetch(`${service.url}/api/projects/${project}/issues?limit=50`, {
      headers: { authorization: `Bearer ${ownerKey}` },
    });
    await answer.arrayBuffer();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[CALLS / 2];
}
