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
  'crash loop': () => {
    spawn('sleep', [nap], { stdio: 'ignore' });
    setTimeout(() => process.exit(1), 200);
  },
};

kinds[kind]();
serve({ calls: { ready: () => text('ready') } });
