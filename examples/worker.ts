// A worker in TypeScript: it takes issues one after the other, and finishes them. Run it with Node 22.18 or newer:
//   AWP_URL=http://127.0.0.1:3000 AWP_KEY=awp_a_… node examples/worker.ts
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const { AWP_URL = 'http://127.0.0.1:3000', AWP_KEY = '' } = process.env;
const { AWP_WORKER: worker = `example-ts-${hostname().slice(0, 40)}-${process.pid}` } = process.env;
const instance = crypto.randomUUID(); // A second process of the name waits for the end of this one.
const ending = new AbortController();
process.on('SIGTERM', () => ending.abort());
const headers = { authorization: `Bearer ${AWP_KEY}`, 'content-type': 'application/json' };
type Lease = { issueId: string; token: number };
type Item = Lease & { state: string; brief: string; issue: { key: string; title: string } };

/** Sends a request until it is answered. A finish is done once by its token. */
async function call(path: string, body: object): Promise<{ work: Item[] }> {
  for (;;) {
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) };
    // It may have been done without an answer, so the same request is sent again.
    const answer = await fetch(AWP_URL + path, init).catch(() => null);
    if (answer?.ok) return (await answer.json()) as { work: Item[] };
    const problem = (await answer?.text().catch(() => '')) ?? '';
    const isWaiting = problem.includes('worker_taken') && !ending.signal.aborted;
    if (answer && answer.status < 500 && answer.status !== 429 && !isWaiting) throw new Error(problem);
    console.error(problem);
    await sleep(1000 * Math.min(5, Number(answer?.headers.get('retry-after')) || 1));
  }
}

const heartbeat = (capacity: number, leases: Lease[]) =>
  call('/api/agents/me/heartbeat?wait=25', { worker, instance, capacity, leases });

/** Replace this with your own work. End it when `stop` fires: the issue was paused or closed, or another process has it. */
async function work({ brief, issue }: Item, stop: AbortSignal): Promise<string> {
  stop.throwIfAborted();
  return `${issue.title}: the brief has ${brief.length} characters.`;
}

async function run(item: Item): Promise<void> {
  const { issueId, token, issue } = item;
  const stop = new AbortController();
  const done = work(item, stop.signal).then(
    (comment) => ({ token, status: 'Resolved', comment }),
    (error) => ({ token, status: 'PendingReview', comment: String(error) }),
  );
  try {
    for (;;) {
      // Each heartbeat renews the lease. It waits for a third of a lease, or until the work has to stop.
      const next = await Promise.race([done, heartbeat(0, [{ issueId, token }])]);
      if ('status' in next) break;
      if (!next.work.some((it) => it.token === token && it.state === 'continue')) throw Error('stopped');
    }
  } finally {
    stop.abort(); // Also where the service refuses, as it does once another process has this worker's name.
    await done;
  }
  await call(`/api/projects/issues/${issueId}/finish`, await done);
  console.log(issue.key, 'done');
}

while (!ending.signal.aborted) {
  // `work` has all leases of this worker, so an issue comes again after a lost response or a restart.
  for (const item of (await heartbeat(1, [])).work)
    if (item.state === 'start') await run(item).catch((error) => console.error(item.issue.key, error));
}
