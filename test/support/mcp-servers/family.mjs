// A server that leaves relatives behind, one kind each: node family.mjs KIND. Each relative sleeps for ten minutes.
import { spawn } from 'node:child_process';
import { serve, text } from './kit.mjs';

const nap = ['600'];
const kinds = {
  polite: () => undefined,
  /** Heeds neither SIGTERM nor the end of its input. */
  stubborn: () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
    setInterval(() => undefined, 1000);
  },
  grandchild: () => spawn('sleep', nap, { stdio: 'inherit' }),
  daemon: () => spawn('setsid', ['sleep', ...nap], { stdio: 'ignore' }),
  'double-fork': () => spawn('sh', ['-c', '(trap "" TERM; setsid sh -c "trap \\"\\" TERM; sleep 600; sleep 600" &) &'], { stdio: 'ignore' }),
  'crash-loop': () => {
    spawn('sleep', nap, { stdio: 'ignore' });
    setTimeout(() => process.exit(1), 300);
  },
};

kinds[process.argv[2]]();
serve({ calls: { ready: () => text('ready') } });
