import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { folderError } from './data-folder-clock-and-descriptor-checks.js';
import { refuseUnfit } from './pooler-standby-and-version-checks.js';
import { connectionError } from './connection-refusals.js';
import { listenError } from './listen-address.js';
import { StartError } from '../exit/exit-codes.js';

const system = (code: string) => Object.assign(new Error(`${code}: raw text of the system`), { code });

describe('the error of a data folder', () => {
  it.each([
    [
      'EACCES',
      78,
      /cannot be written by the user of the service, uid \d+ \(EACCES\)\. Give the folder to that user/,
    ],
    ['EROFS', 78, /is on a read-only file system \(EROFS\)\. Set DATA_DIR/],
    ['ENOTDIR', 78, /is a file or lies below one \(ENOTDIR\)\. Set DATA_DIR/],
    ['ENOENT', 78, /allows no new folders \(ENOENT\)\. Set DATA_DIR/],
    ['ENOSPC', 1, /its disk is full \(ENOSPC\)\. Free space/],
    ['EDQUOT', 1, /its disk is full \(EDQUOT\)\. Free space/],
    ['EIO', 78, /cannot be used \(EIO\)\. Set DATA_DIR/],
  ])('names the cause of %s and ends with %i', (code, exitCode, text) => {
    const error = folderError('/x/data', system(code));
    expect(error.message).toMatch(text);
    expect(error.message).toMatch(/^DATA_DIR \(\/x\/data\) /);
    expect(error.exitCode).toBe(exitCode);
  });
});

describe('the error of an address', () => {
  it.each([
    [
      'EADDRINUSE',
      1,
      /^PORT=80: another program listens on .*80 \(EADDRINUSE\)\. Stop that program, or set PORT/,
    ],
    [
      'EACCES',
      78,
      /^PORT=80: the user of the service, uid \d+, may not listen on this port \(EACCES\)\. Set PORT/,
    ],
    ['EADDRNOTAVAIL', 78, /^HOST=fd00::1 is not an address of this host \(EADDRNOTAVAIL\)\. Set HOST/],
    ['ENOTFOUND', 78, /^HOST=fd00::1 is not an address of this host/],
    ['EAI_AGAIN', 1, /^HOST=fd00::1: the name cannot be resolved at the moment/],
    ['EINVAL', 78, /^HOST and PORT: the service cannot listen on \[fd00::1\]:80 \(EINVAL\)/],
  ])('names the cause of %s and ends with %i', (code, exitCode, text) => {
    const error = listenError({ host: 'fd00::1', port: 80 }, system(code));
    expect(error.message).toMatch(text);
    expect(error.exitCode).toBe(exitCode);
  });
});

const DATABASE = new Client({ connectionString: 'postgres://awp@db:5432/awp' });

describe('a database', () => {
  const writable = { isStandby: false, isReadOnly: false };
  const fit = { number: 150_018, version: '15.18', mayCreate: true, isEmpty: true, ...writable };

  it('is accepted in the supported versions, and with tables that its user may not create', () => {
    for (const number of [150_000, 180_004]) refuseUnfit({ ...fit, number }, DATABASE);
    refuseUnfit({ ...fit, mayCreate: false, isEmpty: false }, DATABASE);
  });

  it.each([
    [
      { number: 140_012, version: '14.12' },
      /db:5432\/awp is PostgreSQL 14\.12\. Use a PostgreSQL of version 15 to 18/,
    ],
    [{ number: 190_000, version: '19beta1' }, /is PostgreSQL 19beta1\. Use/],
    [
      { mayCreate: false },
      /may not create tables in the schema public of db:5432\/awp\. Run `GRANT CREATE, USAGE ON SCHEMA public TO "awp"`/,
    ],
  ])('is refused with 78 when it has %j', (facts, text) => {
    const refusal = () => refuseUnfit({ ...fit, ...facts }, DATABASE);
    expect(refusal).toThrow(text);
    expect(refusal).toThrow(expect.objectContaining({ exitCode: 78 }));
    expect(refusal).toThrow(StartError);
  });

  it.each([
    [
      { isStandby: true, isReadOnly: true },
      /db:5432\/awp is a standby, which accepts no writes\. Set DATABASE_URL to/,
    ],
    [
      { isReadOnly: true },
      /db:5432\/awp is read-only \(default_transaction_read_only\)\. Allow writes again, or set DATABASE_URL/,
    ],
    ...[
      ['database', 'with `ALTER DATABASE "awp" RESET default_transaction_read_only`'],
      ['user', 'with `ALTER ROLE "awp" RESET default_transaction_read_only`'],
      ['database user', 'with `ALTER ROLE "awp" IN DATABASE "awp" RESET default_transaction_read_only`'],
      ['configuration file', 'with `ALTER SYSTEM SET default_transaction_read_only = off` and `SELECT'],
    ].map(
      ([readOnlyBy, statement]) =>
        [{ isReadOnly: true, readOnlyBy }, `Allow writes again ${statement}`] as const,
    ),
  ] as const)('is refused with 1 when it has %j, which may pass', (facts, text) => {
    const refusal = () => refuseUnfit({ ...fit, ...facts }, DATABASE);
    expect(refusal).toThrow(text);
    expect(refusal).toThrow(expect.objectContaining({ exitCode: 1 }));
  });
});

describe('the error of a refused connection', () => {
  const refused = (facts: object) => connectionError(DATABASE, Object.assign(new Error(''), facts));

  it.each([
    ['too many connections for role "awp"', '`ALTER ROLE "awp" CONNECTION LIMIT -1`'],
    ['too many connections for database "awp"', '`ALTER DATABASE "awp" CONNECTION LIMIT -1`'],
    ['sorry, too many clients already', 'raise max_connections of that PostgreSQL'],
  ])('says whose limit is used up: %s', async (message, remedy) => {
    const error = await refused({ code: '53300', message });
    expect(error.problem).toBe(
      'DATABASE_URL: PostgreSQL at db:5432 has no connection left for user awp (53300)',
    );
    expect(error.remedy).toContain(remedy);
  });

  it.each([
    ['CERT_HAS_EXPIRED', {}, /has expired .*\. Renew it on that PostgreSQL/],
    ['CERT_NOT_YET_VALID', {}, /is not valid yet .*\. Check the clock/],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      { cert: { subjectaltname: 'DNS:db.example.com' } },
      /is of another host \(DNS:db\.example\.com\) .*\. Write the host into DATABASE_URL/,
    ],
    ['SELF_SIGNED_CERT_IN_CHAIN', {}, /is of an authority that this host does not know .*with sslrootcert/],
  ])('says what is wrong with a certificate: %s', async (code, more, text) => {
    expect((await refused({ code, ...more })).message).toMatch(text);
  });

  it('says of a server that gives no answer that it may be frozen', async () => {
    const { message, exitCode } = await connectionError(
      new Client({ connectionString: 'postgres://awp@127.0.0.1:1/awp' }),
      new Error('timeout expired'),
    );
    expect(message).toMatch(/127\.0\.0\.1:1 does not answer \(timeout expired\)\. Check that .* frozen/);
    expect(exitCode).toBe(1);
  });
});
