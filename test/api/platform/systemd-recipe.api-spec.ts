import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ServiceProcess } from '../../support/service-process.js';
import { shellBlock } from '../../support/shell-blocks.js';

/**
 * The steps of the systemd units and the commands of docs/operations.md that need no systemd, as they are written there, in this
 * checkout and with uid 65534 in place of a new user: a test must not create users. A stand-in for systemd-run runs what
 * deploy/awp hands to it.
 */
const NOBODY = 65_534;
const root = join(import.meta.dirname, '../../..');
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');
const unit = read('agent-work-platform.service');
const asRoot = process.geteuid?.() === 0 ? it : it.skip;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-systemd-'));
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'bin'));
  await symlink(join(root, 'test/support/systemd-run.mjs'), join(folder, 'bin/systemd-run'));
  await writeFile(join(folder, 'bin/awp'), placed(read('awp')), { mode: 0o755 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const placed = (text: string) =>
  text
    .replace(/\/(var\/lib|var\/backups|etc)(?=\/agent)/g, folder + '/$1')
    .replaceAll('/opt/agent-work-platform', root)
    .replaceAll('/usr/bin/node', process.execPath)
    .replaceAll('deploy/awp', join(folder, 'bin/awp'))
    .replace(/(?<==|-o |-g )awp\b/g, String(NOBODY))
    .replace(/ +# .*$/gm, '');

/** The commands of the recipe of a unit that begin with one of these words. */
const commandsOf = (text: string, ...words: string[]) =>
  [...text.matchAll(/^# {3}(.+)$/gm)]
    .map(([, line]) => line!)
    .filter((line) => words.some((word) => line.startsWith(word)))
    .map(placed);

/** The value of each setting of a unit. */
const settings = (text: string) =>
  Object.fromEntries(
    placed(/^Environment=(.*)$/m.exec(text)![1]!)
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );

async function shell(command: string, variables: Record<string, string> = {}): Promise<string> {
  const env = {
    PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: folder,
    ...variables,
  };
  return (await promisify(execFile)('bash', ['-euc', command], { cwd: root, env })).stdout;
}

/**
 * Runs the commands under a comment of docs/operations.md by its line for systemd, in which `doctor` stands for any of them.
 * @param variables those that the commands name
 */
function copied(name: string, variables: Record<string, string> = {}): Promise<string> {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const [, line] = /^\| systemd +\| `sudo (\S+\/deploy\/awp) doctor` +\|$/m.exec(page)!;
  const awp = line!.replace('/opt/agent-work-platform/deploy', join(folder, 'bin'));
  const commands = shellBlock('docs/operations.md', name);
  return shell(
    commands.replaceAll(
      /^npm run ([\w:]+) --/gm,
      (_, command: string) => `${awp} ${command.replace(':', '-')}`,
    ),
    variables,
  );
}

/** Runs ExecStart of a unit as deploy/awp runs a command. */
const started = (name: string) => {
  const [, script, rest] = /^ExecStart=\/usr\/bin\/node scripts\/([\w-]+)\.mjs (.*)$/m.exec(read(name))!;
  return shell(`${join(folder, 'bin/awp')} ${script} ${placed(rest!)}`);
};

it('every unit, timer and deploy/awp name the same user, folder, settings and file of settings', () => {
  const awp = read('awp');
  for (const name of ['', '-backup', '-restore-drill'].map(
    (suffix) => `agent-work-platform${suffix}.service`,
  )) {
    const text = read(name);
    for (const line of ['User=awp', 'Group=awp', 'WorkingDirectory=/opt/agent-work-platform'])
      expect({ name, text }).toEqual({ name, text: expect.stringMatching(new RegExp(`^${line}$`, 'm')) });
    expect(text).toMatch(/^EnvironmentFile=-\/etc\/agent-work-platform\.env$/m);
    expect(settings(text)).toEqual(settings(unit));
    expect(text).toMatch(/^MemoryMax=/m);
  }
  expect(awp).toMatch(/--uid=awp --gid=awp --working-directory=\/opt\/agent-work-platform /);
  expect(awp).toContain('--property=EnvironmentFile=-/etc/agent-work-platform.env ');
  const set = [...awp.matchAll(/--setenv=(\w+)=(\S+)/g)].map(([, name, value]) => `${name}=${value}`);
  expect(set.join(' ')).toBe(/^Environment=(.*)$/m.exec(unit)![1]);
  for (const name of ['backup', 'restore-drill']) {
    const timer = read(`agent-work-platform-${name}.timer`);
    expect(timer).toMatch(/^OnCalendar=\S/m);
    expect(timer).toMatch(/^Persistent=true$/m);
    expect(timer).toMatch(/^WantedBy=timers\.target$/m);
    expect(read('agent-work-platform-backup.service')).toContain(`agent-work-platform-${name}.timer`);
  }
});

asRoot(
  'the recipe leads an unprivileged user to a running service, its backups, another key, and a restore',
  async () => {
    await mkdir(join(folder, 'etc'));
    await mkdir(join(folder, 'var/lib'), { recursive: true });
    await mkdir(join(folder, 'var/backups'));
    for (const command of commandsOf(unit, 'install -d', 'install -m 0600')) await shell(command);
    // A host without user namespaces would refuse to start with `require`. The file wins, as under systemd.
    const file = join(folder, 'etc/agent-work-platform.env');
    await appendFile(
      file,
      '\n; a comment of systemd\nMCP_SANDBOX = "auto"\nBOOTSTRAP_OWNER_PASSWORD=pass#word \\"of systemd\n',
    );
    const [init] = commandsOf(unit, 'deploy/awp');
    expect(await shell(init!)).toMatch(/^Created the key ring .*keyring\.json with key 'k1'\.$/m);
    const keyRing = await stat(join(folder, 'var/lib/agent-work-platform/keyring.json'));
    expect([keyRing.uid, keyRing.mode & 0o777]).toEqual([NOBODY, 0o600]);
    const given = {
      ...settings(unit),
      MCP_SANDBOX: 'auto',
      HOME: folder,
      BOOTSTRAP_OWNER_PASSWORD: 'pass#word "of systemd',
      BOOTSTRAP_OWNER_API_KEY: randomBytes(24).toString('hex'),
      ALLOW_HTTP_ON_LOOPBACK: 'true',
    };
    const hooks = (address: string, body?: object) =>
      fetch(`${address}/api/webhooks`, {
        headers: {
          authorization: `Bearer ${given.BOOTSTRAP_OWNER_API_KEY}`,
          'content-type': 'application/json',
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
    const service = new ServiceProcess(given, { uid: NOBODY });
    const address = await service.ready();
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    // Its secret is a value that the key ring seals.
    const hook = { url: 'https://hooks.example.com/x', eventTypes: ['issue.created'] };
    expect((await hooks(address, hook)).status).toBe(201);
    await appendFile(file, `PORT=${new URL(address).port}\n`);

    const awp = join(folder, 'bin/awp');
    for (const command of commandsOf(read('agent-work-platform-backup.service'), 'cd ')) await shell(command);
    expect(await copied('rotate')).toMatch(/^k1: 0\nk2 \(primary\): [1-9]\d*$/m);
    expect(await started('agent-work-platform-backup.service')).toMatch(/^Backed up \d+ rows of \d+ tables/m);
    expect(await started('agent-work-platform-restore-drill.service')).toMatch(
      /^Restored \S+ on trial in \d+ s\.$/m,
    );
    expect(await readdir(join(folder, 'var/backups/agent-work-platform'))).toEqual(['data', 'rings']);
    const examined = await shell(`${awp} doctor`);
    expect(examined).toMatch(/^ok +address +the service listens at/m);
    expect(examined).toMatch(/^ok +backup .*; one was restored on trial 0 day\(s\) ago$/m);
    expect(examined).toContain('No errors.');
    const backups = join(folder, 'var/backups/agent-work-platform');
    const [data, rings] = [join(backups, 'data'), join(backups, 'rings')];
    expect(await copied('backup', { BACKUPS: data, RINGS: rings })).toMatch(/^Copied the key ring to /m);
    expect(await service.end()).toEqual({ code: 0, signal: null });
    expect(await copied('retire')).toMatch(/^Removed key 'k1' from /m);

    // Another host: an empty folder, made by the recipe, and the newest backup.
    await rm(join(folder, 'var/lib/agent-work-platform'), { recursive: true });
    for (const command of commandsOf(unit, 'install -d')) await shell(command);
    const newest = (await readdir(data)).toSorted().at(-1)!;
    const restored = await copied('restore', {
      BACKUP: join(data, newest),
      RING: join(rings, newest, 'keyring.json'),
    });
    expect(restored).toMatch(/^Restored the backup of \S+, made by version \S+, into /m);
    expect(await shell(`${awp} keys check`)).toMatch(/^(\d+) values: \1 open, 0 do not\.$/m);
    const again = new ServiceProcess(given, { uid: NOBODY });
    const kept = (await (await hooks(await again.ready())).json()) as { url: string }[];
    expect(kept.map(({ url }) => url)).toEqual([hook.url]);
    expect(await again.end()).toEqual({ code: 0, signal: null });
  },
);
