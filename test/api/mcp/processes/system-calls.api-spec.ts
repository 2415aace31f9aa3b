import { execFile } from 'node:child_process';
import { chownSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openConnection } from '../../../../src/mcp/processes/connection/open-connection.js';
import { aDataDir, aServer, BEST_LEVELS, textOf } from './fake-servers.js';

/** A server attempts system calls, through a program that knows their numbers on x64. */
const data = aDataDir();
afterAll(data.drop);

const ORDINARY_USER = 61_234;
const program = (name: string) =>
  fileURLToPath(new URL(`../../../support/mcp-servers/${name}`, import.meta.url));
const built = new URL('../../../../dist/src/mcp/processes/connection/open-connection.js', import.meta.url)
  .href;

const ALLOWED = {
  getpid: 'done',
  fork: 'done',
  'question for the personality': 'done',
  'socket of the network': 'done',
  'socket of netlink': 'done',
};
const OTHERWISE: Record<string, unknown> = {
  clone3: 'ENOSYS',
  'a 64-bit call by its x32 number': 'ENOSYS',
  // By the filter (SIGSYS), or by a kernel that has no calls of 32 bits (SIGSEGV).
  'a call of 32 bits': expect.stringMatching(/^killed by (?:31|11)$/),
  'socket of the hypervisor': 'EAFNOSUPPORT',
  "socket of the kernel's ciphers": 'EAFNOSUPPORT',
  'pair of packet sockets': 'EAFNOSUPPORT',
};
/** Calls that a server without capabilities may make where no filter refuses them. */
const TELLING =
  `ptrace keyctl add_key request_key bpf userfaultfd unshare setns mount umount2 open_tree pidfd_getfd
  name_to_handle_at personality get_mempolicy process_vm_readv kcmp`.split(/\s+/);

type Outcomes = Record<string, string>;

function expectFiltered(outcomes: Outcomes): void {
  expect(Object.keys(outcomes).length).toBeGreaterThan(45);
  const expected = Object.keys(outcomes).map((name) => [name, OTHERWISE[name] ?? 'EPERM']);
  expect(outcomes).toEqual({ ...Object.fromEntries(expected), ...ALLOWED });
}

const onX64 = process.arch === 'x64' ? it : it.skip;

describe.each(BEST_LEVELS)('at the level %s a server', (sandbox) => {
  const options = { sandbox, serviceDataDir: data.path, startTimeoutMs: 20_000 };

  onX64('is refused the system calls that no server needs', async () => {
    const server = await openConnection(aServer(data.path, 'sandbox-attempts.mjs'), options);
    const tried = await server.request('tools/call', { name: 'system-calls', arguments: {} });
    await server.close();
    expectFiltered(JSON.parse(textOf(tried)) as Outcomes);
  });

  const asRoot = process.arch === 'x64' && process.getuid?.() === 0 ? it : it.skip;
  asRoot('is refused them too when the service runs as an ordinary user', async () => {
    const folder = aDataDir();
    chownSync(folder.path, ORDINARY_USER, ORDINARY_USER);
    const given = [
      { ...options, serviceDataDir: folder.path },
      aServer(folder.path, 'sandbox-attempts.mjs'),
      [['system-calls', {}]],
    ];
    const identity = [`--reuid=${ORDINARY_USER}`, `--regid=${ORDINARY_USER}`, '--clear-groups', '--'];
    const { stdout } = await promisify(execFile)('setpriv', [
      ...[...identity, process.execPath, program('network-host.mjs'), built],
      ...given.map((value) => JSON.stringify(value)),
    ]);
    folder.drop();
    const [outcome = ''] = JSON.parse(stdout) as string[];
    expectFiltered(JSON.parse(outcome.replace('system-calls {} ', '')) as Outcomes);
  });
});

describe('at the weakest level a server', () => {
  onX64('may make them, which shows that these attempts are real', async () => {
    const server = await openConnection(aServer(data.path, 'sandbox-attempts.mjs'), {
      ...{ sandbox: 'process-group', serviceDataDir: data.path, startTimeoutMs: 20_000 },
    });
    const tried = await server.request('tools/call', { name: 'system-calls', arguments: {} });
    await server.close();
    const outcomes = JSON.parse(textOf(tried)) as Outcomes;
    expect(TELLING.filter((name) => outcomes[name] === 'EPERM')).toEqual([]);
    expect(outcomes).toMatchObject(ALLOWED);
  });
});
