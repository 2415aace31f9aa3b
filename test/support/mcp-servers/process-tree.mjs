// A server that leaves descendants of one kind behind: node process-tree.mjs KIND NAP. Each descendant sleeps for NAP
// seconds, a number that no other process sleeps for, by which the test finds it.
import { spawn } from 'node:child_process';
import { serve, text } from './minimal-server.mjs';

const [kind, nap] = process.argv.slice(2);
const kinds = {
  polite: () => undefined,
  /** Ignores SIGTERM and the end of its input. */
  stubborn: () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
    setInterval(() => undefined, 1000);
  },
  grandchild: () => spawn('sleep', [nap], { stdio: 'inherit' }),
  daemon: () => spawn('setsid', ['sleep', nap], { stdio: 'ignore' }),
  'double fork': () =>
    spawn('sh', ['-c', `(trap "" TERM; setsid sh -c 'trap "" TERM; sleep ${nap}; sleep ${nap}' &) &`], {
      stdio: 'ignore',
    }),
  /** A daemon that clears its environment, which would name its owner. */
  'wiped daemon': () => spawn('sh', ['-c', `env -i setsid sleep ${nap} &`], { stdio: 'ignore' }),
  /** Exits as soon as it has answered and leaves a child behind. */
  'crash loop': () => spawn('sleep', [nap], { stdio: 'ignore' }),
};

kinds[kind]();
serve({
  calls: {
    ready: () => {
      if (kind === 'crash loop') setTimeout(() => process.exit(1), 100);
      return text('ready');
    },
  },
});
