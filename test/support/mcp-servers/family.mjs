// A server that leaves relatives behind, one kind each: node family.mjs KIND NAP. Each relative sleeps for NAP seconds,
// a number of its own by which it is found again.
import { spawn } from 'node:child_process';
import { serve, text } from './kit.mjs';

const [kind, nap] = process.argv.slice(2);
const kinds = {
  polite: () => undefined,
  /** Heeds neither SIGTERM nor the end of its input. */
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
  /** A daemon that wipes the environment which would tell whose it is. */
  'wiped daemon': () => spawn('sh', ['-c', `env -i setsid sleep ${nap} &`], { stdio: 'ignore' }),
  /** Dies as soon as it has answered, and leaves a child behind. */
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
