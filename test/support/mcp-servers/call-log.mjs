// A server that keeps a log of its calls, in the order in which they reached it, and counts cancellations.
import { serve, text } from './minimal-server.mjs';

const began = [];
let cancelled = 0;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

serve({
  onMessage: ({ method }) => method === 'notifications/cancelled' && (cancelled += 1),
  calls: {
    /** Takes `ms`; without it the call never ends. */
    work: async ({ round, ms }) => {
      began.push(round);
      if (ms === undefined) return undefined;
      await pause(ms);
      return text('done');
    },
    log: () => text({ began: began.splice(0), cancelled }),
  },
});
