import { describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLibraryLinks } from '../../../src/platform/database/embedded/postgres-library-links.js';
import { readPostmasterPid } from '../../../src/platform/database/embedded/postmaster-pid.js';
import { until } from '../../support/until.js';
import { killed, startingOwner } from './embedded-owners.js';
import { EmbeddedSubject } from './embedded-subject.js';

const subject = EmbeddedSubject.forThisFile();

describe('the data folder of the embedded database', () => {
  it('is made anew when the service that made it was killed half-way', async () => {
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

  it('is refused when another major version has made it, saying what to do', async () => {
    const file = join(subject.dataDir, 'postgres', 'PG_VERSION');
    const version = await readFile(file, 'utf8');
    await writeFile(file, '17\n');
    await expect(subject.start()).rejects.toThrow('made by PostgreSQL 17, this release brings 18: dump it');
    await writeFile(file, version);
  });

  it('is refused without its credentials, saying what to do', async () => {
    const file = join(subject.dataDir, 'postgres-credentials.json');
    await rename(file, `${file}.away`);
    await expect(subject.start()).rejects.toThrow('put the file back from a backup');
    await rename(`${file}.away`, file);
  });

  it('is refused with credentials that are not its own, and no server stays behind', async () => {
    const file = join(subject.dataDir, 'postgres-credentials.json');
    const credentials = await readFile(file, 'utf8');
    await writeFile(file, JSON.stringify({ password: 'wrong', superuserPassword: 'wrong' }));
    await expect(subject.start()).rejects.toThrow('does not let the service in');
    await writeFile(file, credentials);
    expect(await readPostmasterPid(join(subject.dataDir, 'postgres'))).toBeNull();
  });
});

it('the links that npm does not pack are made once, by however many starters', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awp-links-'));
  await mkdir(join(folder, 'native', 'lib'), { recursive: true });
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  await Promise.all(Array.from({ length: 5 }, () => makeLibraryLinks(folder)));
  expect(await readlink(join(folder, 'native', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  expect(await readdir(join(folder, 'native', 'lib'))).toEqual(['libpq.so.5']);
  await rm(folder, { recursive: true });
});
