// tools/list with one of ten servers dead beside the same with none, and how many processes serve 16 sessions.
import { rmSync } from 'node:fs';
import { openOwnGateway } from './own-gateway.mjs';
import { processesOf } from './processes-of.mjs';
import { WireSession } from './wire.mjs';

const SERVERS = Array.from({ length: 10 }, (_, at) => `server-${at}`);
const ROUNDS = 9;
const LISTS = 60;
const SESSIONS = 16;

/** Returns whether lists are as fast, within a fifth, and one process serves all sessions. */
export async function lists() {
  const gateway = await openOwnGateway(SERVERS);
  try {
    const agent = await gateway.anAgent();
    const one = await sharedByAll(gateway, agent);
    const fast = await withOneDead(gateway, agent);
    return one && fast;
  } finally {
    await gateway.close();
  }
}

async function sharedByAll({ endpoint, servers, pid }, { key }) {
  const [{ slug, script }] = servers;
  const begun = await Promise.all(
    Array.from({ length: SESSIONS }, () => new WireSession(endpoint, key).begin()),
  );
  await Promise.all(begun.map((session) => call(session, slug)));
  const count = processesOf(pid, script).length;
  await Promise.all(begun.map((session) => session.close()));
  console.log(`\n${SESSIONS} sessions on a shared server: ${count} process${count === 1 ? '' : 'es'} of it`);
  return count === 1;
}

async function withOneDead({ endpoint, servers, pid }, { key }) {
  const session = await new WireSession(endpoint, key).begin();
  const [dead] = servers;
  const toolsBefore = await listed(session);
  const alive = await medianMs(session);
  rmSync(dead.script);
  for (const process of processesOf(pid, dead.script)) process.kill();
  const answer = await call(session, dead.slug);
  const isDead = answer.includes('"isError":true');
  const withDead = await medianMs(session);
  const same = (await listed(session)) === toolsBefore;
  await session.close();
  console.log(
    `tools/list of ${SERVERS.length} servers: ${alive.toFixed(2)} ms; one of them dead: ${withDead.toFixed(2)} ms ` +
      `(ratio ${(withDead / alive).toFixed(2)}); ${same ? 'the same tools' : 'OTHER TOOLS'}`,
  );
  if (!isDead) console.log('the dead server answered');
  return isDead && same && withDead <= alive * 1.2;
}

/** The median of a list's time, of the quickest round: what else the machine does only adds to it. */
async function medianMs(session) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times = [];
    for (let n = 0; n < LISTS; n += 1) {
      const asked = performance.now();
      await session.request('tools/list', {});
      times.push(performance.now() - asked);
    }
    rounds.push(times.toSorted((a, b) => a - b)[LISTS / 2]);
  }
  return Math.min(...rounds);
}

async function listed(session) {
  const text = await session.request('tools/list', {});
  return JSON.stringify(text.match(/"name":"[^"]+"/g));
}

function call(session, slug) {
  return session.request('tools/call', { name: `${slug}__echo`, arguments: { a: 1 } });
}
