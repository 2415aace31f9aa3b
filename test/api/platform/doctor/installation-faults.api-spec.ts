import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { UNFINISHED_RESTORE } from '../../../../src/platform/start/data-folder.js';
import { ServiceProcess } from '../../../support/service-process.js';
import { hasSmallDisks, SmallDisk } from '../../../support/small-disk.js';
import { byHand, bySetting, byShell, plantEach } from './fault.js';

/** The user of the service, where the test runs as root. */
const SERVICE = 65_534;
let folder = '';
let count = 0;
const disks: SmallDisk[] = [];
const at = (...names: string[]) => join(folder, ...names);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-faults-'));
  await chmod(folder, 0o755);
});
afterAll(async () => {
  for (const disk of disks) disk.remove();
  await rm(folder, { recursive: true, force: true });
});

/** A data folder of its own for each fault, before the first start. */
const healthy = () => ({ settings: { DATA_DIR: at('good') } });

async function aFolder(mode = 0o700): Promise<string> {
  const path = at(`data-${(count += 1)}`);
  await mkdir(path);
  await chmod(path, mode);
  return path;
}

const inFolder = (path: string, ...files: [name: string, text: string][]) =>
  Promise.all(files.map(([name, text]) => writeFile(join(path, name), text)));
const using = (path: string) => ({ settings: { DATA_DIR: path } });
const asService = { way: { uid: SERVICE } };
const elsewhere = byHand(
  /set DATA_DIR to a folder that the service can write$/,
  bySetting(() => ({ DATA_DIR: at('good') })),
);

/** A disk on which the data folder lies, with the options of its mount. */
async function onDisk(...options: string[]): Promise<{ path: string; remount: (...to: string[]) => void }> {
  const disk = SmallDisk.of(8000);
  disks.push(disk);
  const remount = (...to: string[]) =>
    void execFileSync('mount', ['-o', ['remount', ...to].join(','), disk.folder]);
  const path = join(disk.folder, 'data');
  await mkdir(path, { mode: 0o700 });
  remount(...options);
  return { path, remount };
}

describe('npm run doctor names what is wrong with the data folder, and its fix works:', () => {
  plantEach(healthy, [
    {
      fault: 'a file in its place',
      check: 'data folder',
      says: /^DATA_DIR \(.*\/file\) is a file or lies below one \(ENOTDIR\)$/,
      also: ['key ring', 'attachments'],
      plant: async () => {
        await writeFile(at('file'), '');
        return using(at('file'));
      },
      follow: elsewhere,
    },
    {
      fault: 'a place where no folder can be made',
      check: 'data folder',
      says: /^DATA_DIR \(\/proc\/data\) is on a file system that allows no new folders \(ENOENT\)$/,
      plant: () => using('/proc/data'),
      follow: elsewhere,
    },
    {
      fault: 'a folder that was copied into itself',
      check: 'data folder',
      says: /holds no database, but the folder data in it does$/,
      plant: async () => {
        await mkdir(at('nested', 'data', 'postgres'), { recursive: true });
        return using(at('nested'));
      },
      follow: byHand(/^move the contents of .*\/nested\/data one level up/, async () => {
        for (const name of await readdir(at('nested', 'data')))
          await rename(at('nested', 'data', name), at('nested', name));
      }),
    },
    {
      fault: 'a restore that did not finish',
      check: 'data folder',
      says: /holds the beginning of a restore that did not finish$/,
      plant: async () => {
        const path = await aFolder();
        await inFolder(path, [UNFINISHED_RESTORE, ''], ['keyring.json.draft', '']);
        return using(path);
      },
      follow: byHand(/^empty the folder/, async () => {
        const path = at(`data-${count}`);
        for (const name of await readdir(path)) await rm(join(path, name));
      }),
    },
    {
      fault: 'a folder that others may write',
      check: 'data folder',
      says: /^other users can write to .*\/data-\d+$/,
      plant: async () => using(await aFolder(0o777)),
      follow: byShell,
    },
  ]);

  if (process.getuid?.() === 0)
    plantEach(healthy, [
      {
        fault: 'a folder of another user',
        check: 'data folder',
        says: /^DATA_DIR \(.*\) cannot be written by the user of the service, uid 65534 \(EACCES\)$/,
        also: ['key ring'],
        plant: async () => ({ ...using(await aFolder()), ...asService }),
        follow: byHand(/^give the folder to that user/, () => chown(at(`data-${count}`), SERVICE, SERVICE)),
      },
      {
        fault: 'a folder below that of another user',
        check: 'data folder',
        says: /^DATA_DIR \(.*\/below\) cannot be written by the user of the service, uid 65534 \(EACCES\)$/,
        also: ['key ring'],
        plant: async () => ({ ...using(join(await aFolder(), 'below')), ...asService }),
        follow: byHand(/or set DATA_DIR to a folder that the service can write$/, async () => {
          await chown(await aFolder(), SERVICE, SERVICE);
          return using(at(`data-${count}`));
        }),
      },
      {
        fault: 'files that a command of root has left',
        check: 'data folder',
        says: /\/postgres\.log belongs to another user, uid 0$/,
        plant: async () => {
          const path = await aFolder();
          await chown(path, SERVICE, SERVICE);
          await inFolder(path, ['postgres.log', '']);
          return { ...using(path), ...asService };
        },
        follow: byShell,
      },
      {
        fault: 'a doctor that runs as root beside a service that does not',
        check: 'data folder',
        level: 'warn',
        says: /belongs to uid 65534, and this is root: what the service may read and write is not checked$/,
        plant: async () => {
          const path = await aFolder();
          await chown(path, SERVICE, SERVICE);
          return using(path);
        },
        follow: byHand(/^run it as uid 65534/, () => asService),
      },
      {
        fault: 'a port that is reserved for root',
        check: 'address',
        says: /^PORT=80: the user of the service, uid 65534, may not listen on this port \(EACCES\)$/,
        plant: async () => {
          const path = await aFolder();
          await chown(path, SERVICE, SERVICE);
          return { settings: { DATA_DIR: path, PORT: '80' }, ...asService };
        },
        follow: byHand(/^set PORT to one above 1023/, bySetting({ PORT: '0' })),
      },
    ]);

  if (hasSmallDisks) {
    let disk: Awaited<ReturnType<typeof onDisk>>;
    const onDiskWith = async (...options: string[]) => using((disk = await onDisk(...options)).path);
    plantEach(healthy, [
      {
        fault: 'a disk that is read-only',
        check: 'data folder',
        says: /is on a read-only file system \(EROFS\)$/,
        plant: () => onDiskWith('ro'),
        follow: elsewhere,
      },
      {
        fault: 'a disk that is nearly full',
        check: 'disk space',
        says: /^\d+ MB are free$/,
        plant: () => onDiskWith('size=100m'),
        follow: byHand(/^free space on the disk of \S+\/data, or enlarge it$/, () =>
          disk.remount('size=8000m'),
        ),
      },
      {
        fault: 'a disk that fills',
        check: 'disk space',
        level: 'warn',
        says: /^\d+ MB are free$/,
        plant: () => onDiskWith('size=2000m'),
        follow: byHand(/or enlarge it$/, () => disk.remount('size=8000m')),
      },
      {
        fault: 'a disk that has no room for more files',
        check: 'disk space',
        says: /^\d+ MB are free, but only \d+ more files fit \(inodes\)$/,
        plant: async () => {
          const planted = await onDiskWith('nr_inodes=12000');
          await mkdir(join(disk.path, '../old'));
          for (let file = 0; file < 3_000; file += 1)
            await writeFile(join(disk.path, '../old', String(file)), '');
          return planted;
        },
        follow: byHand(/^remove files from the disk of/, () =>
          rm(join(disk.path, '../old'), { recursive: true }),
        ),
      },
    ]);
  }
});

describe('npm run doctor names what is wrong with the embedded database, and its fix works:', () => {
  let home = '';
  let port = '';
  let embedded: ServiceProcess;
  beforeAll(async () => {
    home = await aFolder();
    embedded = new ServiceProcess({ DATA_DIR: home });
    port = new URL(await embedded.ready()).port;
  });
  afterAll(async () => void (await embedded.end()));

  plantEach(
    () => ({ settings: { DATA_DIR: home, PORT: port } }),
    [
      {
        fault: 'another port than that of the service that runs',
        check: 'address',
        says: /^process \d+ uses DATA_DIR \(.*\) and listens on port \d+, not \d+$/,
        plant: () => ({ settings: { PORT: String(Number(port) === 65_000 ? 64_999 : 65_000) } }),
        follow: (fix) => ({ settings: { PORT: /^set PORT=(\d+)/.exec(fix)![1]! } }),
      },
      {
        fault: 'a folder that others can enter',
        check: 'database',
        says: /has mode 0755/,
        plant: async () => {
          await embedded.end();
          await chmod(join(home, 'postgres'), 0o755);
        },
        follow: byShell,
      },
      {
        fault: 'credentials that were lost',
        check: 'database',
        says: /postgres-credentials\.json/,
        plant: () => rename(credentials(), `${credentials()}.away`),
        follow: byHand(/restore|bring/i, () => rename(`${credentials()}.away`, credentials())),
      },
      {
        fault: 'files of another major version',
        check: 'database',
        says: /PostgreSQL 14/,
        plant: async () => {
          await rename(version(), `${version()}.away`);
          await writeFile(version(), '14\n');
          const { uid, gid } = await stat(`${version()}.away`);
          await chown(version(), uid, gid);
        },
        follow: byHand(/./, () => rename(`${version()}.away`, version())),
      },
    ],
  );
  const credentials = () => join(home, 'postgres-credentials.json');
  const version = () => join(home, 'postgres', 'PG_VERSION');
});
