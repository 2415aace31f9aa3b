import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ServiceProcess } from '../../support/service-process.js';

/**
 * The steps of deploy/agent-work-platform.service that need no systemd, as they are written there, in this checkout and
 * with uid 65534 in place of a new user: a test must not create users.
 */
const NOBODY = 65_534;
const unit = readFileSync(join(import.meta.dirname, '../../../deploy/agent-work-platform.service'), 'utf8');
const root = join(import.meta.dirname, '../../..');
const asRoot = process.geteuid?.() === 0 ? it : it.skip;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-systemd-'));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const placed = (text: string) =>
  text
    .replace(/\/(var\/lib|etc)(?=\/agent)/g, folder)
    .replace(/(?<==|-o |-g )awp\b/g, String(NOBODY))
    .replace(/ +# .*$/, '');

/** The commands of the recipe that begin with one of these words. */
const commands = (...words: string[]) =>
  [...unit.matchAll(/^# {3}(.+)$/gm)]
    .map(([, line]) => line!)
    .filter((line) => words.some((word) => line.startsWith(word)))
    .map(placed);

/** The settings of the unit. */
const settings = () =>
  Object.fromEntries(
    placed(/^Environment=(.*)$/m.exec(unit)![1]!)
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );

async function shell(command: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: folder };
  return (await promisify(execFile)('bash', ['-euc', command], { cwd: root, env })).stdout;
}

asRoot('the recipe of the systemd unit leads an unprivileged user to a running service', async () => {
  for (const command of commands('install -d', 'install -m 0600')) await shell(command);
  const [init] = commands('setpriv');
  expect(await shell(init!)).toMatch(/^Created the key ring .*keyring\.json with key 'k1'\.$/m);
  const keyRing = await stat(join(folder, 'agent-work-platform', 'keyring.json'));
  expect([keyRing.uid, keyRing.mode & 0o777]).toEqual([NOBODY, 0o600]);
  // A host without user namespaces would refuse to start with `require`.
  const given = { ...settings(), MCP_SANDBOX: 'auto', HOME: folder };
  const service = new ServiceProcess(given, { uid: NOBODY });
  const address = await service.ready();
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  const port = new URL(address).port;
  const doctor = init!.replace('scripts/keys.mjs init', 'scripts/doctor.mjs');
  const examined = await shell(doctor.replace(' env ', ` env PORT=${port} `));
  expect(examined).toMatch(/^ok +address +the service listens at/m);
  expect(examined).toContain('No errors.');
  expect(await service.end()).toEqual({ code: 0, signal: null });
});
