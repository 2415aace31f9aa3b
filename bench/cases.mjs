/** `requests(arena)` returns what each connection sends in turn. `prepare` runs before each sample. */
export const cases = [
  {
    name: 'get',
    requests: (arena) =>
      arena.ids.map((id) => ({ method: 'GET', path: `/api/projects/issues/${id}`, headers: owner(arena) })),
  },
  {
    name: 'list',
    requests: (arena) => [
      { method: 'GET', path: `/api/projects/${arena.project}/issues?limit=50`, headers: owner(arena) },
    ],
  },
  {
    name: 'create',
    requests: (arena) => [
      json('POST', `/api/projects/${arena.project}/issues`, owner(arena), {
        title: 'Made by the bench',
        description: 'A brief.',
      }),
    ],
  },
  {
    name: 'update',
    requests: (arena) =>
      arena.ids.map((id, index) =>
        json('PUT', `/api/projects/issues/${id}`, owner(arena), {
          title: `Renamed ${index} ${Math.random()}`,
        }),
      ),
  },
  {
    name: 'idle heartbeat',
    requests: (arena) => [json('POST', '/api/agents/me/heartbeat', bearer(arena.idle.key), {})],
  },
  {
    name: 'claim',
    prepare: giveWork,
    requests: (arena, connection) => [
      json('POST', '/api/agents/me/heartbeat', bearer(arena.agents[connection % arena.agents.length].key), {
        capacity: 1,
      }),
    ],
  },
];

const bearer = (key) => ({ authorization: `Bearer ${key}` });
const owner = (arena) => bearer(arena.ownerKey);
const json = (method, path, headers, body) => ({
  method,
  path,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Creates enough open issues that every pickup of the sample finds one. */
async function giveWork({ client, project, agents }) {
  await client.query(`UPDATE issue_leases SET expires_at = NULL`);
  await client.query(
    `UPDATE issues SET assigned_agent_id = NULL, status = 'Open' WHERE assigned_agent_id IS NOT NULL`,
  );
  await client.query(
    `UPDATE issues SET assigned_agent_id = ($2::uuid[])[1 + number % $3], status = 'Open'
     WHERE project_id = $1 AND number <= 60000`,
    [project, agents.map(({ id }) => id), agents.length],
  );
  await client.query('VACUUM ANALYZE issues');
}
