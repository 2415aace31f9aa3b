import { chmod, chown, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { ServiceProcess } from '../../../support/service-process.js';
import { byHand, byShell, plantEach } from './fault.js';

describe('npm run doctor names what is wrong with the embedded database, and its fix works:', () => {
  let home = '';
  let port = '';
  let embedded: ServiceProcess;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'awp-faults-'));
    embedded = new ServiceProcess({ DATA_DIR: home });
    port = new URL(await embedded.ready()).port;
  });
  afterAll(async () => {
    await embedded.end();
    await rm(home, { recursive: true, force: true });
  });

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
        says: /^DATA_DIR \(.*\) holds a database but no postgres-credentials\.json$/,
        plant: () => rename(credentials(), `${credentials()}.away`),
        follow: byHand(/^put the file back from a copy of the folder/, () =>
          rename(`${credentials()}.away`, credentials()),
        ),
      },
      {
        fault: 'files of another major version',
        check: 'database',
        says: /was created by PostgreSQL 14, but this release ships \d+$/,
        plant: async () => {
          await rename(version(), `${version()}.away`);
          await writeFile(version(), '14\n');
          const { uid, gid } = await stat(`${version()}.away`);
          await chown(version(), uid, gid);
        },
        follow: byHand(/^make a backup with the release that created it/, () =>
          rename(`${version()}.away`, version()),
        ),
      },
    ],
  );
  const credentials = () => join(home, 'postgres-credentials.json');
  const version = () => join(home, 'postgres', 'PG_VERSION');
});
