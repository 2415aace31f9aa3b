// A server that knows after which moment each of its calls was sent. It keeps a ping to its client under way all the time.
// Responses and calls reach it in the order in which they were sent: what comes after the response to a ping was sent after
// that ping. Moments are microseconds of the monotonic clock, which all processes of a machine share.
import { serve, send, text } from './minimal-server.mjs';

const calls = [];
/** When the last ping was sent that has a response. */
let heard = 0;

const ping = () => send({ id: Number(process.hrtime.bigint() / 1000n), method: 'ping' });

serve({
  onMessage: ({ id, method }) => {
    if (method === 'notifications/initialized') return ping();
    if (method !== undefined || id === undefined) return;
    heard = id;
    setTimeout(ping, 1);
  },
  calls: {
    work: ({ mark }) => {
      calls.push({ mark, sentAfter: heard });
      return text('done');
    },
    /** The calls since the last look. */
    calls: () => text({ heard, calls: calls.splice(0) }),
  },
});
