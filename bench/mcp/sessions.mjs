// The memory of the service after many sessions that were opened and left, as clients do that just go away.
import { openOwnGateway } from './own-gateway.mjs';
import { heapOf } from './heap.mjs';
import { WireSession } from './wire.mjs';

const SESSIONS = 1_000;
/** An agent may have 64; beyond them its own oldest gives way. */
const AGENTS = 20;
const IDLE_SECONDS = 15;

/** True where the heap is back within a fifth once the sessions have expired. */
export async function sessions() {
  const inspector = 9_300 + (process.pid % 500);
  const gateway = await openOwnGateway(['polite'], {
    flags: [`--inspect=127.0.0.1:${inspector}`],
    settings: { MCP_SESSION_IDLE_SECONDS: String(IDLE_SECONDS) },
  });
  const heap = await heapOf(inspector);
  try {
    const agents = [];
    for (let n = 0; n < AGENTS; n += 1) agents.push(await gateway.anAgent());
    // Once before, so that what is loaded at the first use is not taken for what is left.
    const early = await openAndLeave(gateway, agents, AGENTS);
    await early.close();
    await expired();
    const before = await heap.usedAfterCollection();
    const first = await openAndLeave(gateway, agents, SESSIONS);
    const full = await heap.usedAfterCollection();
    await first.request('ping', {}); // Not one of them has expired by now.
    await first.close();
    await expired();
    const after = await heap.usedAfterCollection();
    tell(before, full, after);
    return after <= before * 1.2;
  } finally {
    heap.close();
    await gateway.close();
  }
}

/** The agents side by side; the first session of all stays connected, to be asked whether it is still there. */
async function openAndLeave({ endpoint, servers }, agents, count) {
  const first = await new WireSession(endpoint, agents[0].key).begin();
  const echo = { name: `${servers[0].slug}__echo`, arguments: {} };
  const visit = async ({ key }) => {
    for (let n = 0; n < count / agents.length; n += 1) {
      const session = await new WireSession(endpoint, key).begin();
      await session.request('tools/list', {});
      await session.request('tools/call', echo);
      await session.close();
    }
  };
  await Promise.all(agents.map(visit));
  return first;
}

/** Idle sessions are looked for once in their own time, so the last goes at twice that. */
function expired() {
  return new Promise((resolve) => {
    setTimeout(resolve, IDLE_SECONDS * 2_200);
  });
}

function tell(before, full, after) {
  const mb = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  const each = ((full - before) / SESSIONS / 1024).toFixed(1);
  console.log(
    `heap before ${mb(before)}, with ${SESSIONS} sessions ${mb(full)} (${each} KB each), expired ${mb(after)} ` +
      `(ratio ${(after / before).toFixed(2)})`,
  );
}
