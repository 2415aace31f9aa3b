import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createdBy } from '../../support/builders.js';
import { BACKUP, DRILL, run } from '../../support/backup-commands.js';
import { BACKUP as BACKUP_ROW, RESTORE_DRILL } from '../../../src/platform/chores/chore.entity.js';
import { newKeyRing } from '../../../src/platform/encryption/key-ring.js';
import { useService } from '../../support/service.js';
import { printedBlock, runShell, shapeOf, shellBlock } from '../../support/shell-blocks.js';
import { processesIn } from '../../support/processes-in.js';
import { until } from '../../support/until.js';

const PAGE = 'docs/operations.md';
const service = useService();
let folder = '';
const at = (...names: string[]) => join(folder, ...names);
const settings = () => ({ DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir });
const backUp = (...more: string[]) => run(BACKUP, [at('data'), '--ring', at('rings'), ...more], settings());
const drill = (...more: string[]) => run(DRILL, [at('data'), '--work', at('work'), ...more], settings());

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-drill-'));
  await mkdir(at('work'));
  await createdBy(service.owner, '/api/webhooks', {
    url: 'https://hooks.example.com/x',
    eventTypes: ['goal.*'],
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('npm run backup with --keep', () => {
  it('leaves the newest ones with their key rings, and touches nothing else', async () => {
    await mkdir(at('data', '2020-01-01T00-00-00Z'), { recursive: true });
    await mkdir(at('data', 'mine'));
    const drafts = ['2020-01-02T00-00-00Z.unfinished', '2020-01-03T00-00-00Z.unfinished'];
    for (const name of drafts) await mkdir(at('data', name));
    await utimes(at('data', drafts[0]!), 0, 0);
    const names = ['2025-01-01T00-00-00Z', '2025-01-02T00-00-00Z'];
    for (const name of names) {
      await mkdir(at('data', name));
      await writeFile(at('data', name, 'manifest.json'), '{}');
      await mkdir(at('rings', name), { recursive: true });
    }
    const { code, said } = await backUp('--keep', '2');
    expect(code).toBe(0);
    expect(await recorded(BACKUP_ROW)).toEqual({ failures: 0, hasSucceeded: true });
    expect(said).toMatch(/^Removed 1 older backup\(s\), up to 2025-01-01T00-00-00Z\.$/m);
    const left = await readdir(at('data'));
    expect(left).toEqual(['2020-01-01T00-00-00Z', drafts[1], names[1], expect.stringMatching(/^20/), 'mine']);
    expect(await readdir(at('rings'))).toEqual([names[1], left[3]]);
  });

  it.each(['0', '-1', 'all', '1.5'])('refuses a number of %s before it makes one', async (keep) => {
    const before = await readdir(at('data'));
    expect(await backUp(`--keep=${keep}`)).toMatchObject({ code: 64 });
    expect(await readdir(at('data'))).toEqual(before);
  });
});

describe('npm run restore:drill', () => {
  it('fails with the key ring of another service, and records that', async () => {
    const ring = at('rings', (await newest())!, 'keyring.json');
    const own = await readFile(ring);
    await writeFile(ring, JSON.stringify(newKeyRing('k1')));
    const { code, said } = await drill('--ring', at('rings'));
    expect(code).toBe(78);
    expect(said).toContain("is not the key 'k1'");
    await writeFile(ring, own);
    expect(await recorded()).toEqual({ failures: 1, hasSucceeded: null });
  });

  it('restores the newest backup, opens what is sealed, and leaves nothing but its row, without the failures before', async () => {
    const interrupted = at('work', 'awp-restore-drill-killed');
    await mkdir(interrupted);
    await utimes(interrupted, 0, 0);
    const output = await runShell(shellBlock(PAGE, 'trial'), {
      ...settings(),
      TMPDIR: at('work'),
      BACKUPS: at('data'),
      RINGS: at('rings'),
    });
    expect(shapeOf(output)).toEqual(shapeOf(printedBlock(PAGE, 'trial')));
    expect(output).toMatch(/^[1-9]\d* values: [1-9]\d* open, 0 do not\.$/m);
    expect(await readdir(at('work'))).toEqual([]);
    expect(await recorded()).toEqual({ failures: 0, hasSucceeded: true });
    expect(await service.owner.get('/api/webhooks')).toMatchObject({ status: 200 });
  });

  it.each([
    ['SIGINT', 'while it makes the database', /^postgres\.new-/],
    ['SIGTERM', 'while the database runs', /^postgres$/],
  ] as const)('removes its folder and ends its database at once on %s, %s', async (signal, _, name) => {
    const child = spawn(process.execPath, [DRILL, at('data'), '--ring', at('rings'), '--work', at('work')], {
      env: { PATH: process.env['PATH'], ...settings() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (said += text.toString()));
    const ended = once(child, 'close');
    await until(async () => {
      const [trial] = await readdir(at('work'));
      return trial && (await readdir(at('work', trial))).some((one) => name.test(one));
    });
    child.kill(signal);
    expect(await ended).toEqual([128 + constants.signals[signal], null]);
    expect(said).toMatch(/^Interrupted: \S+ and its database are removed\.$/m);
    expect(await readdir(at('work'))).toEqual([]);
    // A shell of initdb ends right after its program.
    await until(() => processesIn(at('work')).length === 0);
  });

  it('fails with a damaged backup, and without any', async () => {
    const name = (await newest())!;
    const [file] = (await readdir(at('data', name, 'database'))).filter((one) => one.startsWith('projects'));
    await appendFile(at('data', name, 'database', file!), 'x');
    const { code, said } = await drill('--ring', at('rings'));
    expect(code).not.toBe(0);
    expect(said).toContain('is damaged');
    expect(await readdir(at('work'))).toEqual([]);
    expect(await run(DRILL, [at('work')], settings())).toMatchObject({
      code: 78,
      said: expect.stringContaining('There is no complete backup in'),
    });
  });
});

/** The row of a command in the database, which a chart reads whose pods share no folder. */
const recorded = async (name = RESTORE_DRILL) =>
  (
    await service.sql(
      `SELECT failures, succeeded_at > now() - interval '1 minute' AS "hasSucceeded" FROM chores WHERE name = $1`,
      [name],
    )
  )[0];

const newest = async () =>
  (await readdir(at('data')))
    .filter((name) => /^202[6-9]|^20[3-9]/.test(name))
    .toSorted()
    .at(-1);
