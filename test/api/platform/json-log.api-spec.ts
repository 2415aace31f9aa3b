import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

/** Everything that a process writes is one form of lines (contract §8.1): each is parsed, whatever happens to the process. */
const folder = mkdtempSync(join(tmpdir(), 'awp-json-log-'));
const planted = pathToFileURL(resolve(import.meta.dirname, '../../support/planted-errors.mjs'));
const PLANTED = { NODE_OPTIONS: `--import=${planted.href}` };
const MIGRATIONS = readdirSync(resolve(import.meta.dirname, '../../../dist/migrations')).filter((name) =>
  /^\d+-.*\.js$/.test(name),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface LogLine {
  level: string;
  time: string;
  context?: string;
  msg?: string;
  migration?: string;
  ms?: number;
  apiKey?: string;
  exitCode?: number;
}

/** Parses every line. A request has fields in place of a message. */
function linesOf({ log }: ServiceProcess): LogLine[] {
  const lines = log.split('\n').flatMap((text) => (text === '' ? [] : [JSON.parse(text) as LogLine]));
  for (const line of lines) {
    expect(['debug', 'info', 'warn', 'error', 'fatal']).toContain(line.level);
    expect(Date.parse(line.time)).not.toBeNaN();
    expect(line.context === 'Request' || typeof line.msg === 'string' || 'error' in line).toBe(true);
  }
  return lines;
}

const start = (settings: Record<string, string>) =>
  new ServiceProcess({ DATA_DIR: join(folder, 'data'), LOG_FORMAT: 'json', ...settings });

/** Sends a request that makes the process meet something. The process may end before it answers. */
const plant = (address: string, kind: string) =>
  fetch(`${address}/livez`, { headers: { 'x-planted': kind } }).catch(() => undefined);

it('a first start with migrations, the end of its database, a warning of Node, what a library prints, and an exception', async () => {
  const service = start({ ...PLANTED, MCP_ALLOWED_HOSTS: 'intranet.example:443' });
  const address = await service.ready();
  const has = (text: string) => service.log.includes(text);
  // The last lines of a start come after the address.
  await until(() => has('"apiKey"'));
  await plant(address, 'warning');
  await plant(address, 'print');
  const [pid] = readFileSync(join(folder, 'data/postgres/postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await until(() => has('The database can be reached again'));
  await plant(address, 'exception');
  expect(await service.ended).toEqual({ code: 1, signal: null });

  const lines = linesOf(service);
  const found = (fields: object) => expect(lines).toContainEqual(expect.objectContaining(fields));
  const migrations = lines.filter(({ migration }) => migration !== undefined);
  const [begins] = lines.filter(({ context }) => context === 'Migrations');
  expect(begins!.msg).toBe(`${MIGRATIONS.length} migration(s) are to run.`);
  expect(migrations).toHaveLength(MIGRATIONS.length);
  for (const { migration, ms, msg } of migrations)
    expect(msg).toBe(`Migration ${migration} ran in ${ms} ms.`);
  expect(new Set(migrations.map(({ migration }) => migration)).size).toBe(MIGRATIONS.length);
  const said = (context: string, level: string, text: RegExp) =>
    found({ context, level, msg: expect.stringMatching(text) });
  said('Database', 'info', /^Creating a new PostgreSQL database/);
  said('Database', 'info', /^The embedded PostgreSQL runs as process \d+$/);
  said('Database', 'warn', /^The embedded database ended \(it received SIGKILL\)\. It is restarted\.$/);
  said('Settings', 'warn', /^MCP_ALLOWED_HOSTS is now called/);
  said('Start', 'info', /^Database: embedded PostgreSQL in /);
  said('Start', 'info', /^Agent Work Platform is ready at http/);
  said('Node', 'warn', /^Warning: planted warning$/);
  said('Library', 'warn', /^planted print 1$/);
  found({ level: 'fatal', msg: 'An exception was not caught.' });
  const secrets = lines.filter(({ apiKey }) => apiKey !== undefined);
  expect(secrets).toEqual([
    expect.objectContaining({ context: 'Owner', apiKey: expect.stringMatching(/^awp_u_/) }),
  ]);
  expect(service.log.split(secrets[0]!.apiKey!)).toHaveLength(2);
});

it.each([
  ['a setting that is not allowed', { LEASE_SECONDS: '-5' }, 78, /LEASE_SECONDS: must be a whole number/],
  [
    'a database that is away',
    { DATABASE_URL: 'postgres://awp:x@127.0.0.1:1/awp' },
    1,
    /no PostgreSQL responds/,
  ],
  [
    'an exception before the service takes requests',
    { ...PLANTED, PLANTED_EARLY: 'yes' },
    1,
    /planted early/,
  ],
])('a start that fails by %s', async (_, settings, exitCode, reason) => {
  const service = start({ ...settings, DATA_DIR: join(folder, 'failing') });
  expect(await service.ended).toEqual({ code: exitCode, signal: null });
  expect(linesOf(service).at(-1)).toMatchObject({
    ...{ level: 'fatal', context: 'Start', exitCode, version: expect.stringMatching(/^\d+\./) },
    msg: expect.stringMatching(new RegExp(`^The service did not start\\. [^]*${reason.source}`)),
  });
});

it('LOG_FORMAT=text writes the reason for people, also where the settings cannot be read', async () => {
  const service = start({ LOG_FORMAT: 'text', LEASE_SECONDS: '-5' });
  expect(await service.ended).toEqual({ code: 78, signal: null });
  expect(service.log).toMatch(
    /^The service did not start\. The settings have 1 error\(s\):\n {2}LEASE_SECONDS: /,
  );
});
