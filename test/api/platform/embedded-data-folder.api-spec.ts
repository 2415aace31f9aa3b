import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { makeLibraryLinks } from '../../../src/platform/embedded-postgres/postgres-home.js';
import { readPostmasterPid } from '../../../src/platform/embedded-postgres/postgres-process.js';
import { until } from '../../support/until.js';
import { killed, startingOwner } from './embedded-owners.js';
import { EmbeddedSubject } from './embedded-subject.js';

const subject = EmbeddedSubject.forThisFile();

describe('the data folder of the embedded database', () => {
  it('is created again when the service was killed while it created it', async () => {
    const other = await mkdtemp(join(tmpdir(), 'awp-embedded-'));
    const service = startingOwner(other, 'server');
    await until(async () => (await readdir(other)).some((name) => name.startsWith('postgres.new-')));
    await killed(service);
    const postgres = await subject.start(other);
    expect(await subject.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(other)).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
    await postgres.stop();
    await rm(other, { recursive: true });
  });

  it('is rejected with advice when another major version has created it', async () => {
    const file = join(subject.dataDir, 'postgres', 'PG_VERSION');
    const version = await readFile(file, 'utf8');
    await writeFile(file, '17\n');
    await expect(subject.start()).rejects.toThrow(
      'created by PostgreSQL 17, but this release ships 18. Make a backup with the release that created it',
    );
    await writeFile(file, version);
  });

  it('is rejected with advice when its credentials are missing', async () => {
    const file = join(subject.dataDir, 'postgres-credentials.json');
    await rename(file, `${file}.away`);
    await expect(subject.start()).rejects.toThrow('Put the file back from a copy');
    await rename(`${file}.away`, file);
  });

  it('is rejected with the mode that PostgreSQL wants when others can enter it', async () => {
    const cluster = join(subject.dataDir, 'postgres');
    await chmod(cluster, 0o755);
    await expect(subject.start()).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/has mode 0755, .* must be u=rwx \(0700\) or .*\. Run chmod 700 \//),
    });
    await chmod(cluster, 0o750);
    await (await subject.start()).stop();
    await chmod(cluster, 0o700);
  });

  it('is rejected with credentials of another cluster, and no server keeps running', async () => {
    const file = join(subject.dataDir, 'postgres-credentials.json');
    const credentials = await readFile(file, 'utf8');
    await writeFile(file, JSON.stringify({ password: 'wrong', superuserPassword: 'wrong' }));
    await expect(subject.start()).rejects.toThrow("rejects the service's credentials");
    await writeFile(file, credentials);
    expect(await readPostmasterPid(join(subject.dataDir, 'postgres'))).toBeNull();
  });
});

it('the links that npm does not pack are created once, by any number of starters', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awp-links-'));
  await mkdir(join(folder, 'native', 'lib'), { recursive: true });
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  await Promise.all(Array.from({ length: 5 }, () => makeLibraryLinks(folder)));
  expect(await readlink(join(folder, 'native', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  expect(await readdir(join(folder, 'native', 'lib'))).toEqual(['libpq.so.5']);
  await rm(folder, { recursive: true });
});
