// A server whose tools try to reach what a sandbox withholds. Each returns what it got, or 'refused: …'.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { serve, text } from './minimal-server.mjs';

const pids = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));
const readAll = (name) =>
  pids()
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/${name}`, 'latin1');
      } catch {
        return '';
      }
    })
    .join('\n');
const dial = (address) =>
  new Promise((resolve, reject) =>
    connect(address)
      .on('connect', () => resolve('connected'))
      .on('error', reject),
  );

const attempts = {
  'read-file': ({ path }) => readFileSync(path, 'latin1'),
  'write-file': ({ path }) => (writeFileSync(path, 'x'), 'written'),
  'list-folder': ({ path }) => readdirSync(path).join(' '),
  environments: () => readAll('environ'),
  arguments: () => readAll('cmdline'),
  memory: ({ pid }) => readFileSync(`/proc/${pid}/maps`, 'latin1'),
  signal: ({ pid, signal }) => (process.kill(pid, signal), 'sent'),
  'signal-group': () => {
    // Signals every process of its own group: a service in the same group would open its debugger.
    execFileSync('sh', ['-c', 'trap "" USR1; kill -USR1 0']);
    return 'sent';
  },
  'nested-namespace': () =>
    execFileSync('/usr/bin/unshare', ['--user', '--map-root-user', 'true'], { stdio: 'pipe' }) && 'made',
  trace: ({ pid }) =>
    execFileSync('python3', [
      '-c',
      `import ctypes,sys; sys.exit(0 if ctypes.CDLL(None).ptrace(16,${pid},0,0)==0 else 1)`,
    ]).toString() || 'traced',
  'connect-tcp': ({ port }) => dial({ port, host: '127.0.0.1' }),
  'connect-socket': ({ path }) => dial({ path }),
  'system-calls': () =>
    execFileSync('python3', [fileURLToPath(new URL('system-calls.py', import.meta.url))], {
      encoding: 'utf8',
    }),
  capabilities: () => readFileSync('/proc/self/status', 'latin1').match(/CapEff:\t(\w+)/)[1],
};

process.on('SIGUSR1', () => undefined);
const guarded = (attempt) => async (given) => {
  try {
    return text(await attempt(given ?? {}));
  } catch (error) {
    return text(`refused: ${error.code ?? error.message}`);
  }
};
serve({
  calls: Object.fromEntries(Object.entries(attempts).map(([name, attempt]) => [name, guarded(attempt)])),
});
