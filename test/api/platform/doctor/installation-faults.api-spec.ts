import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { UNFINISHED_RESTORE } from '../../../../src/platform/start/data-folder-clock-and-descriptor-checks.js';
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

/** A data folder of the user of the service. */
async function ofService(): Promise<string> {
  const path = await aFolder();
  await chown(path, SERVICE, SERVICE);
  return path;
}

/** A file that only root may read. */
async function ofRoot(kind: string, text: string): Promise<string> {
  const path = at(`${kind}-${(count += 1)}`);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

const aRing = () =>
  JSON.stringify({
    version: 1,
    primary: 'k1',
    keys: [{ id: 'k1', key: randomBytes(32).toString('base64') }],
  });

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
      fault: 'a key ring that others may read',
      check: 'key ring',
      says: /^ENCRYPTION_KEYRING_FILE \(.*\) has mode 0644$/,
      plant: async () => {
        const path = await aFolder();
        await inFolder(path, ['keyring.json', aRing()]);
        await chmod(join(path, 'keyring.json'), 0o644);
        return using(path);
      },
      follow: byHand(/^run chmod 600 on it/, () => chmod(at(`data-${count}`, 'keyring.json'), 0o600)),
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
          const path = await ofService();
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
          const path = await ofService();
          return using(path);
        },
        follow: byHand(/^run it as uid 65534/, () => asService),
      },
      {
        fault: 'a secret in a file of root',
        check: 'settings',
        says: /^BOOTSTRAP_OWNER_PASSWORD_FILE: .*\/secret-\d+ cannot be read \(EACCES\)$/,
        plant: async () => {
          const path = await ofRoot('secret', 'a long password of the Owner');
          return {
            settings: { DATA_DIR: await ofService(), BOOTSTRAP_OWNER_PASSWORD_FILE: path },
            ...asService,
          };
        },
        follow: byHand(/^Name an existing file that the user of the service can read/, async () => {
          const path = await ofRoot('secret', 'a long password of the Owner');
          await chown(path, SERVICE, SERVICE);
          return { settings: { BOOTSTRAP_OWNER_PASSWORD_FILE: path } };
        }),
      },
      {
        fault: 'a key ring of root',
        check: 'key ring',
        says: /^ENCRYPTION_KEYRING_FILE \(.*\) can't be read \(EACCES\)$/,
        plant: async () => {
          const dataDir = await ofService();
          return {
            settings: { DATA_DIR: dataDir, ENCRYPTION_KEYRING_FILE: await ofRoot('ring', aRing()) },
            ...asService,
          };
        },
        follow: byHand(/^give the service's user access to it$/, () =>
          chown(at(`ring-${count}`), SERVICE, SERVICE),
        ),
      },
      {
        fault: 'a port that is reserved for root',
        check: 'address',
        says: /^PORT=80: the user of the service, uid 65534, may not listen on this port \(EACCES\)$/,
        plant: async () => {
          const path = await ofService();
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
