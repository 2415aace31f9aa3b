// The requests whose time must not grow with the journal. Each figure is a median in milliseconds.
import { setTimeout as sleep } from 'node:timers/promises';
import { uuid } from './rows.mjs';

const CALLS = 300;
const STREAMS = 100;
const EVENTS = 200;
/** How often the service looks for new events. */
const POLL_MS = 100;

/** Yields the medians of each request. The databases take turns, so that a busy moment of the machine meets both. */
export async function* measureBoth(arenas) {
  const requests = await Promise.all(arenas.map(requestsOf));
  for (const name of Object.keys(requests[0]))
    yield {
      name,
      medians: await medians(
        CALLS,
        requests.map((one) => one[name]),
      ),
    };
  const ids = await Promise.all(arenas.map(idBefore));
  const streams = arenas.map((arena, at) => () => resume(arena, ids[at]));
  const pause = () => sleep(Math.random() * POLL_MS);
  yield { name: `events: ${EVENTS} after Last-Event-ID`, medians: await medians(STREAMS, streams, pause) };
}

async function requestsOf(arena) {
  const { issues, months } = arena;
  const day = `from=${months[0]}-10T00:00:00Z&to=${months[0]}-11T00:00:00Z`;
  const id = await textOf(arena, `SELECT ${uuid('77')}::text AS text`);
  const get = (path) => () => request(arena, path);
  return {
    timeline: (at) => request(arena, `/api/projects/issues/${issues[at % issues.length]}/activity?limit=50`),
    'audit, newest': get('/api/audit?limit=50'),
    'audit of an actor': get(`/api/audit?limit=50&actorId=${id}`),
    'audit of a rare type': get('/api/audit?limit=50&type=user.created'),
    'audit of a frequent type': get('/api/audit?limit=50&type=login.succeeded'),
    'audit of a day': get(`/api/audit?limit=50&${day}`),
    "audit of an actor's day": get(`/api/audit?limit=50&actorId=${id}&${day}`),
    'audit of a rare type in weeks': get(
      `/api/audit?limit=50&type=user.created&from=${months[0]}-01T00:00:00Z&to=${months[0]}-25T00:00:00Z`,
    ),
    'tool calls, newest': get('/api/mcp/calls?limit=50'),
    'tool calls of an agent': get(`/api/mcp/calls?limit=50&agentId=${id}`),
  };
}

/** The id after which there are a few events more: a stream that waits for the very last one waits for the next poll. */
function idBefore(arena) {
  const position = `SELECT max(position) - ${EVENTS + 20} FROM journal`;
  return textOf(arena, `SELECT id::text AS text FROM journal WHERE position = (${position})`);
}

async function resume(arena, id) {
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

/**
 * The first calls fill caches and are not counted. `pause` comes before each: without one, requests of two services that
 * wait for their polls take turns with them, and one of both always waits longer.
 */
async function medians(calls, works, pause = async () => undefined) {
  const times = works.map(() => []);
  for (let at = -calls / 5; at < calls; at += 1)
    for (const [side, work] of works.entries()) {
      await pause();
      const began = performance.now();
      await work(at + calls);
      if (at >= 0) times[side].push(performance.now() - began);
    }
  return times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(calls / 2)]);
}

async function request({ service, ownerKey }, path) {
  const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${ownerKey}` } });
  const text = await answer.text();
  if (!answer.ok || text === '[]') throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
}

async function textOf({ client }, sql) {
  return (await client.query(sql)).rows[0].text;
}
