// Creates rows by plain SQL as the service would have made them. Seeding is not measured.
import { randomUUID } from 'node:crypto';
import {
  hashOfKey,
  makeApiKey,
} from '../dist/src/platform/authentication/key-format-and-authentication.service.js';

const AGENTS = 64;

export async function seed(client, issues) {
  const project = randomUUID();
  await client.query(`INSERT INTO projects (id, key, name) VALUES ($1, 'BENCH', 'Bench')`, [project]);
  const agents = [];
  for (let index = 0; index < AGENTS; index += 1) agents.push(await anAgent(client, index));
  await addIssues(client, project, 1, issues);
  return { project, agents, idle: await anAgent(client, 'idle'), ids: await sample(client, project) };
}

export async function addIssues(client, project, first, last) {
  await client.query(
    `INSERT INTO issues (id, project_id, number, title, description, status, priority, created_by_type, created_by_name, created_at, updated_at)
     SELECT gen_random_uuid(), $1, n, 'Issue ' || n, repeat('What is to be done, word by word. ', 10),
            (ARRAY['Open', 'InProgress', 'PendingReview', 'Resolved', 'Closed'])[1 + n % 5], n % 5, 'user', 'Bench',
            now() - make_interval(secs => $3 - n), now() - make_interval(secs => $3 - n)
     FROM generate_series($2::int, $3::int) AS n`,
    [project, first, last],
  );
  await client.query(`UPDATE projects SET last_issue_number = $2 WHERE id = $1`, [project, last]);
  await client.query('VACUUM ANALYZE issues');
}

async function anAgent(client, name) {
  const agent = { id: randomUUID(), key: makeApiKey('agent') };
  await client.query(`INSERT INTO agents (id, name, max_concurrent_issues) VALUES ($1, $2, 1000)`, [
    agent.id,
    `Agent ${name}`,
  ]);
  await client.query(
    `INSERT INTO api_keys (id, agent_id, name, prefix, hash) VALUES ($1, $2, 'bench', 'awp_a_', $3)`,
    [randomUUID(), agent.id, hashOfKey(agent.key)],
  );
  return agent;
}

async function sample(client, project) {
  const { rows } = await client.query(
    `SELECT id FROM issues WHERE project_id = $1 AND status = 'Open' ORDER BY id LIMIT 5000`,
    [project],
  );
  return rows.map(({ id }) => id);
}
