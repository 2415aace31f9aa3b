import { v7 as uuidv7 } from 'uuid';

const DEPENDENTS = 1_000;

/** Measures how long it takes to resolve an issue that blocks 1,000 others, until the response arrives. */
export async function release(arena) {
  const times = [];
  for (let round = 0; round < 5; round += 1) times.push(await once(arena));
  console.log(
    `${'release'.padEnd(16)}${DEPENDENTS} dependents set free in ${times.toSorted((a, b) => a - b)[2].toFixed(0)} ms (median of 5)`,
  );
}

async function once({ client, project, service, ownerKey }) {
  // In order of time, as the service creates them.
  const ids = Array.from({ length: DEPENDENTS + 1 }, () => uuidv7());
  const [blocker] = ids;
  await client.query(
    `WITH first AS (UPDATE projects SET last_issue_number = last_issue_number + $3 WHERE id = $1 RETURNING last_issue_number - $3 AS base),
          made AS (
            INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name)
            SELECT given.id, $1, base + n, 'Issue ' || n,
                   CASE WHEN n = 1 THEN 'Open' ELSE 'WaitingOnDependency' END, 'user', 'Bench'
            FROM first, unnest($4::uuid[]) WITH ORDINALITY AS given(id, n) RETURNING id)
     INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, created_by_type, created_by_name)
     SELECT gen_random_uuid(), $2, id, 'Blocks', 'user', 'Bench' FROM made WHERE id <> $2`,
    [project, blocker, DEPENDENTS + 1, ids],
  );
  const start = performance.now();
  const answer = await fetch(`${service.url}/api/projects/issues/${blocker}/close?force=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerKey}` },
  });
  if (answer.status !== 204) throw new Error(`close answered ${answer.status}: ${await answer.text()}`);
  return performance.now() - start;
}
