// A server that attacks the memory of the service: node memory-attacks.mjs. Each tool, and the lists, are one attack.
import { once } from 'node:events';
import { send, serve, text, tool } from './minimal-server.mjs';

const MESSAGE = 'x'.repeat(1_000_000);
const RESOURCES = Array.from({ length: 35 }, (_, at) => ({
  name: `r${at}`,
  uri: `x:${at}`,
  description: 'x'.repeat(100_000),
}));
let cancelled = false;
const isCancelled = () => cancelled;
let generation = 0;
let churning = false;

/** Sends progress of 1 MB for as long as the caller waits, and the service takes it. */
async function flood(given, request) {
  const { progressToken } = request.params._meta ?? {};
  for (let progress = 1; !isCancelled() && progress <= given.messages; progress += 1) {
    send({ method: 'notifications/progress', params: { progressToken, progress, message: MESSAGE } });
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  }
  return text('flooded');
}

/** Keeps its arguments for as long as the caller waits. */
function wait() {
  return new Promise(() => undefined);
}

/** Says for ever that its resources have changed, as fast as the service takes it. */
async function notices() {
  for (;;) {
    send({ method: 'notifications/resources/list_changed' });
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  }
}

/** Renames all tools from now on, and says so after each listing. */
function churn() {
  churning = true;
  send({ method: 'notifications/tools/list_changed' });
  return text('churning');
}

function freshTools() {
  generation += 1;
  setImmediate(() => send({ method: 'notifications/tools/list_changed' }));
  return Array.from({ length: 1_500 }, (_, at) => tool(`fresh_${generation}_${at}`));
}

serve({
  capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
  calls: { flood, churn, notices, large: ({ bytes }) => text('x'.repeat(bytes)), wait },
  onMessage: ({ method }) => (cancelled ||= method === 'notifications/cancelled'),
  further: {
    'tools/list': () => ({
      tools: [
        ...['flood', 'churn', 'notices', 'large', 'wait'].map((name) => tool(name)),
        ...(churning ? freshTools() : []),
      ],
    }),
    // Pages without end, which are out of date as soon as they are listed.
    'resources/list': () => {
      setImmediate(() => send({ method: 'notifications/resources/list_changed' }));
      return { resources: RESOURCES, nextCursor: String((generation += 1)) };
    },
  },
});
