// A worker in TypeScript: it takes issues one after the other, and finishes them. Run it with Node 22.18 or newer:
//   AWP_URL=http://127.0.0.1:3000 AWP_KEY=awp_a_… node examples/worker.ts
import { setTimeout as sleep } from 'node:timers/promises';

const { AWP_URL = 'http://127.0.0.1:3000', AWP_KEY = '', AWP_WORKER = 'example-ts' } = process.env;
type Item = {
  issueId: string;
  token: number;
  state: string;
  brief: string;
  issue: { key: string; title: string };
};

/** Sends a request until it is answered. A finish is done once by its token. */
async function call(path: string, body: object): Promise<{ work: Item[] }> {
  const headers = {
    authorization: `Bearer ${AWP_KEY}`,
    'content-type': 'application/json',
  };
  for (;;) {
    const request = {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    };
    // It may have been done without an answer, so the same request is sent again.
    const answer = await fetch(AWP_URL + path, request).catch(() => null);
    if (answer?.ok) return (await answer.json()) as { work: Item[] };
    if (answer && answer.status < 500 && answer.status !== 429) throw new Error(await answer.text());
    await sleep(1000);
  }
}

/** Replace this with your own work. Work that takes longer than a lease needs heartbeats meanwhile: docs/api-guide.md. */
function work({ brief, issue }: Item): string {
  return `${issue.title}: the brief has ${brief.length} characters.`;
}

const ending = new AbortController();
process.on('SIGTERM', () => ending.abort());
while (!ending.signal.aborted) {
  const heartbeat = { worker: AWP_WORKER, capacity: 1, leases: [] };
  // `work` has all leases of this worker, so an issue comes again after a lost response or a restart.
  for (const item of (await call('/api/agents/me/heartbeat?wait=25', heartbeat)).work) {
    if (item.state === 'stop') continue;
    try {
      const end = { token: item.token, status: 'Resolved', comment: work(item) };
      await call(`/api/projects/issues/${item.issueId}/finish`, end);
      console.log(`${item.issue.key} resolved`);
    } catch (error) {
      // Such as lease_lost: a person paused or reassigned the issue meanwhile.
      console.error(item.issue.key, String(error));
    }
  }
}
