// The requests whose time must not grow with the journal. Each figure is a median in milliseconds.
const CALLS = 300;
const STREAMS = 40;
const EVENTS = 200;

export async function measureAll(arena, { issues, months }) {
  const window = `from=${months[0]}-10T00:00:00Z&to=${months[0]}-11T00:00:00Z`;
  const actor = await textOf(arena, `SELECT md5('77')::uuid::text AS text`);
  const agent = await textOf(arena, `SELECT md5('77')::uuid::text AS text`);
  const get = (path) => () => request(arena, path);
  const figures = {
    timeline: (at) => request(arena, `/api/projects/issues/${issues[at % issues.length]}/activity?limit=50`),
    'audit, newest': get('/api/audit?limit=50'),
    'audit of an actor': get(`/api/audit?limit=50&actorId=${actor}`),
    'audit of a day': get(`/api/audit?limit=50&${window}`),
    'tool calls, newest': get('/api/mcp/calls?limit=50'),
    'tool calls of an agent': get(`/api/mcp/calls?limit=50&agentId=${agent}`),
  };
  const found = {};
  for (const [name, call] of Object.entries(figures)) {
    for (let at = 0; at < 60; at += 1) await call(at);
    found[name] = await median(CALLS, (at) => call(at + 60));
  }
  found[`events: ${EVENTS} after Last-Event-ID`] = await median(STREAMS, () => resume(arena));
  return found;
}

async function resume(arena) {
  const id = await textOf(
    arena,
    `SELECT id::text AS text FROM journal WHERE position = (SELECT max(position) - ${EVENTS} FROM journal)`,
  );
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${arena.ownerKey}`, 'last-event-id': id };
  const answer = await fetch(`${arena.service.url}/api/events`, { headers, signal: stop.signal });
  let count = 0;
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    count += chunk.split('\ndata: ').length - 1;
    if (count >= EVENTS) break;
  }
  stop.abort();
}

async function median(calls, work) {
  const times = [];
  for (let at = 0; at < calls; at += 1) {
    const began = performance.now();
    await work(at);
    times.push(performance.now() - began);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(calls / 2)];
}

async function request({ service, ownerKey }, path) {
  const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${ownerKey}` } });
  const text = await answer.text();
  if (!answer.ok || text === '[]') throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
}

async function textOf({ client }, sql) {
  return (await client.query(sql)).rows[0].text;
}
