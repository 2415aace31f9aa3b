import { accessSync, constants, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { useService } from '../../../support/service.js';
import { hasSmallDisks } from '../../../support/small-disk.js';
import { byHand, bySetting, plantEach } from './fault.js';

const service = useService();
let taken: Server;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-faults-'));
  await new Promise<void>((listening) => {
    taken = createServer().listen(0, '127.0.0.1', listening);
  });
});
afterAll(async () => {
  taken.close();
  await rm(folder, { recursive: true, force: true });
});

/** Before the first start. */
const fresh = () => ({ settings: { DATA_DIR: join(folder, 'data') } });
const running = () => ({
  settings: {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: service.dataDir,
    PORT: new URL(service.baseUrl).port,
  },
});

/** In a namespace of its own, in which both programs are files that cannot be executed. */
const HIDING = 'for one in bwrap unshare; do mount --bind /dev/null "$(command -v $one)"; done; exec "$@"';
const WITHOUT_SANDBOX = ['unshare', '--mount', 'sh', '-c', HIDING, 'sh'];
const installed = () => ({ way: { through: [] } });

/** What a host has installed, beside a shell. */
let hosts = 0;
async function hostWith(
  ...programs: string[]
): Promise<{ bin: string; install: (...names: string[]) => Promise<void> }> {
  const bin = join(folder, `bin-${(hosts += 1)}`);
  mkdirSync(bin);
  const install = async (...names: string[]) => {
    for (const name of names) {
      const place = placeOf(name);
      if (place) await symlink(place, join(bin, name));
      else await writeFile(join(bin, name), `#!/bin/sh\necho ${VERSIONS[name]}\n`, { mode: 0o755 });
    }
  };
  await writeFile(join(bin, 'npm'), '#!/bin/sh\necho 1.0.0\n', { mode: 0o755 });
  await install('sh', ...programs);
  return { bin, install };
}

/** What stands in for a program that this host does not have. */
const VERSIONS: Record<string, string> = { python3: 'Python 3.12.1', pipx: '1.7.1' };

/** Not a shim of a version manager, which needs its own PATH. */
function placeOf(name: string): string | undefined {
  return ['/usr/local/bin', '/usr/bin', '/bin']
    .map((place) => join(place, name))
    .find((path) => existsSync(path));
}

describe('npm run doctor names what the host lacks, and its fix works:', () => {
  let host: Awaited<ReturnType<typeof hostWith>>;
  const onHostWith = async (programs: string[], settings = {}) => {
    host = await hostWith(...programs);
    return { settings: { PATH: host.bin, ...settings } };
  };
  plantEach(fresh, [
    {
      fault: 'no Python',
      check: 'runtimes',
      level: 'warn',
      says: /^node \S+, python -, pipx -$/,
      plant: () => onHostWith([]),
      follow: byHand(/^install python and pipx to run Python servers/, () => host.install('python3', 'pipx')),
    },
    {
      fault: 'no pipx',
      check: 'runtimes',
      level: 'warn',
      says: /^node \S+, python \S+, pipx -$/,
      plant: () => onHostWith(['python3']),
      follow: byHand(/^install pipx to run Python servers/, () => host.install('pipx')),
    },
    {
      fault: 'no npm',
      check: 'registry',
      level: 'warn',
      says: /^npm is not installed$/,
      plant: async () => {
        const planted = await onHostWith([]);
        await rm(join(host.bin, 'npm'));
        return planted;
      },
      follow: byHand(/^install npm beside Node/, () =>
        writeFile(join(host.bin, 'npm'), '#!/bin/sh\necho 1.0.0\n', { mode: 0o755 }),
      ),
    },
    {
      fault: 'a sandbox that is turned off',
      check: 'sandbox',
      level: 'warn',
      says: /^off: server processes see what the service sees$/,
      plant: () => ({ settings: { MCP_SANDBOX: 'off' } }),
      follow: bySetting({ MCP_SANDBOX: 'auto' }),
    },
    {
      fault: 'fewer open files than the settings allow',
      check: 'limits',
      level: 'warn',
      says: /^600 files may be open at once, and the settings allow \d+, connections among them$/,
      plant: () => ({ way: { through: withFiles(600) } }),
      follow: (fix) => ({ way: { through: withFiles(Number(/^raise the limit to (\d+)/.exec(fix)![1])) } }),
    },
    {
      fault: 'fewer open files, and the way by the settings',
      check: 'limits',
      level: 'warn',
      says: /^1100 files may be open at once/,
      plant: () => ({ settings: { MCP_MAX_PROCESSES: '8' }, way: { through: withFiles(1_100) } }),
      follow: byHand(/or lower CONNECTIONS_MAX$/, bySetting({ CONNECTIONS_MAX: '500' })),
    },
    {
      fault: 'servers that may use more memory than there is',
      check: 'limits',
      level: 'warn',
      says: /^one MCP server may use 1048576 MB, and there are \d+ MB of memory$/,
      plant: () => ({ settings: { MCP_PROCESS_MEMORY_MB: '1048576' } }),
      follow: byHand(/^lower MCP_PROCESS_MEMORY_MB/, bySetting({ MCP_PROCESS_MEMORY_MB: '1024' })),
    },
    {
      fault: 'the port of another program',
      check: 'address',
      says: /^PORT=\d+: another program listens on 127\.0\.0\.1:\d+ \(EADDRINUSE\)$/,
      plant: () => ({ settings: { PORT: String((taken.address() as AddressInfo).port) } }),
      follow: byHand(/^stop that program/, () => new Promise<void>((done) => taken.close(() => done()))),
    },
    {
      fault: 'the address of another machine',
      check: 'address',
      says: /^HOST=192\.0\.2\.1 is not an address of this host \(EADDRNOTAVAIL\)$/,
      plant: () => ({
        settings: { HOST: '192.0.2.1', TRUSTED_PROXIES: '10.0.0.1', PUBLIC_URL: 'https://awp.example' },
      }),
      follow: byHand(/^set HOST to an address of this host/, bySetting({ HOST: '127.0.0.1' })),
    },
  ]);

  if (hasSmallDisks)
    plantEach(fresh, [
      {
        fault: 'no sandbox where one is required',
        check: 'sandbox',
        says: /^MCP_SANDBOX=require, but this host lets the service make neither a bubblewrap sandbox nor a PID namespace$/,
        plant: () => ({ settings: { MCP_SANDBOX: 'require' }, way: { through: WITHOUT_SANDBOX } }),
        follow: byHand(/^Install bubblewrap and allow/, installed),
      },
      {
        fault: 'no sandbox',
        check: 'sandbox',
        level: 'warn',
        says: /^process-group, the weakest$/,
        plant: () => ({ way: { through: WITHOUT_SANDBOX } }),
        follow: byHand(/^install bubblewrap and allow/, installed),
      },
    ]);

  if (hasMemoryGroups())
    plantEach(fresh, [
      {
        fault: 'a control group with too little memory',
        check: 'limits',
        level: 'warn',
        says: /^400 MB of memory$/,
        plant: () => {
          mkdirSync(group);
          allow(400);
          return { way: { through: ['sh', '-c', `echo $$ > ${group}/cgroup.procs; exec "$@"`, 'sh'] } };
        },
        follow: byHand(/^allow at least 512 MB/, () => allow(2_048)),
        clean: () => rmdirSync(group),
      },
    ]);
});

const group = `/sys/fs/cgroup/memory/awp-doctor-${process.pid}`;
const allow = (megabytes: number) =>
  writeFileSync(join(group, 'memory.limit_in_bytes'), String(megabytes * 1_048_576));

function hasMemoryGroups(): boolean {
  try {
    accessSync('/sys/fs/cgroup/memory/memory.limit_in_bytes', constants.R_OK);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

const withFiles = (count: number) => ['sh', '-c', `ulimit -n ${count}; exec "$@"`, 'sh'];

describe('npm run doctor names what is wrong among the processes and hosts, and its fix works:', () => {
  const shifted = { node: ['--import', resolve(import.meta.dirname, '../../../support/shifted-clock.mjs')] };
  const ofTools = { ROLE: 'tools', TOOLS_LISTEN: '127.0.0.1:0' };
  plantEach(running, [
    {
      fault: 'clocks that are days apart',
      check: 'clock',
      says: /^\d+\.\d s apart from the clock of the database$/,
      plant: () => ({ way: shifted }),
      follow: byHand(/^synchronise the clocks of both hosts/, () => ({ way: { node: [] } })),
    },
    {
      fault: 'clocks that are seconds apart',
      check: 'clock',
      level: 'warn',
      says: /^\d+\.\d s apart from the clock of the database$/,
      plant: () => ({ settings: { CLOCK_AHEAD_SECONDS: '20' }, way: shifted }),
      follow: byHand(/^synchronise the clocks of both hosts/, () => ({ way: { node: [] } })),
    },
    {
      fault: 'a process for requests without a tools host',
      check: 'role',
      level: 'warn',
      says: /^api: requests; no tools host is announced$/,
      plant: () => ({ settings: { ROLE: 'api', PROCESSES: '1' } }),
      follow: byHand(/^start a process with ROLE=tools on this database/, () =>
        service.second({ ...ofTools, DATA_DIR: join(folder, 'tools') }).then(() => undefined),
      ),
    },
    {
      fault: 'a tools host without background work',
      check: 'role',
      level: 'warn',
      says: /^tools: MCP servers; the last background work was done 120 minutes ago$/,
      plant: async () => {
        await service.stop();
        await service.sql(`UPDATE chores SET ran_at = now() - interval '2 hours'`);
        return { settings: ofTools };
      },
      follow: byHand(/^start a process with ROLE=worker on this database/, () =>
        service.second({ ROLE: 'worker' }).then(() => undefined),
      ),
    },
  ]);
});
