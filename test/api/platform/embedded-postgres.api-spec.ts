import { describe, expect, it } from '@jest/globals';
import { readFile, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { EmbeddedSubject } from './embedded-subject.js';

const subject = EmbeddedSubject.forThisFile();

describe('the embedded database', () => {
  it('is a PostgreSQL 18 in UTF-8 whose data survives stop and start', async () => {
    const first = await subject.start();
    await subject.query('CREATE TABLE kept (word text)');
    await subject.query("INSERT INTO kept VALUES ('Ägäis')");
    await first.stop();
    await subject.start();
    expect(await subject.query('SELECT lower(word) AS word FROM kept')).toEqual([{ word: 'ägäis' }]);
    expect(await subject.query("SELECT current_setting('server_version') AS version")).toEqual([
      { version: expect.stringMatching(/^18\./) },
    ]);
  });

  it('keeps committed data through a power failure, unless a setting disables that', async () => {
    const first = await subject.start(subject.dataDir, {});
    expect(await subject.query(durability)).toEqual([{ fsync: 'on', commit: 'on', pages: 'on' }]);
    await first.stop();
    await subject.start();
    expect(await subject.query(durability)).toEqual([{ fsync: 'off', commit: 'on', pages: 'on' }]);
  });

  it('listens on a socket in its folder and on no port, and requires the password', async () => {
    const postgres = await subject.start();
    const { port, searchParams } = new URL(postgres.url);
    expect(searchParams.get('host')).toBe(join(subject.dataDir, 'postgres'));
    expect((await stat(join(subject.dataDir, 'postgres', `.s.PGSQL.${port}`))).isSocket()).toBe(true);
    const tcp = createConnection(Number(port), '127.0.0.1');
    expect(await once(tcp, 'connect').catch(({ code }: NodeJS.ErrnoException) => code)).toBe('ECONNREFUSED');
    const url = new URL(postgres.url);
    url.password = 'guessed';
    await expect(subject.query('SELECT 1', url.href)).rejects.toThrow('password authentication failed');
  });

  it('listens on 127.0.0.1 below a folder whose path is too long for a socket', async () => {
    const folder = join(subject.dataDir, 'a'.repeat(60), 'b'.repeat(40));
    const postgres = await subject.start(folder);
    expect(new URL(postgres.url)).toMatchObject({ hostname: '127.0.0.1', search: '' });
    expect(await subject.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.stop();
  });

  it('gives the service a role that is not a superuser', async () => {
    await subject.start();
    expect(await subject.query('SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([
      { rolsuper: false },
    ]);
  });

  it('keeps the password in a file that only its owner can read, and out of command lines', async () => {
    const postgres = await subject.start();
    const file = join(subject.dataDir, 'postgres-credentials.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { password } = JSON.parse(await readFile(file, 'utf8')) as { password: string };
    expect(postgres.url).toContain(password);
    expect(await readFile(`/proc/${await subject.serverPid()}/cmdline`, 'utf8')).not.toContain(password);
  });

  it('runs in a session of its own, which Ctrl-C in the terminal does not reach', async () => {
    await subject.start();
    const pid = await subject.serverPid();
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ');
    expect(Number(fields?.[3])).toBe(pid);
  });

  it('keeps failed statements, which can hold secrets, out of its log', async () => {
    await subject.start();
    await expect(subject.query("SELECT 'a-secret'::integer")).rejects.toThrow('invalid input syntax');
    expect(await readFile(join(subject.dataDir, 'postgres.log'), 'utf8')).not.toContain('a-secret');
  });
});

const durability =
  "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, current_setting('full_page_writes') AS pages";
