// A server that writes the mark of each call into a file of its own data as soon as the call reaches it, so that a test
// can read the calls of every process, killed ones too: node call-marks.mjs NAME.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve, text } from './minimal-server.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

serve({
  calls: {
    /** Takes `ms`. */
    work: async ({ mark, ms = 0 }) => {
      appendFileSync(join(process.env.HOME, 'marks'), `${mark}\n`);
      if (ms > 0) await pause(ms);
      return text(mark);
    },
  },
});
