import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { BACKUP, emptyDatabase, RESTORE, run } from '../../support/backup-commands.js';
import { anIssue, aProject, createdBy, type Issue, type Project } from '../../support/builders.js';
import { asAgent } from '../../support/callers.js';
import { Service } from '../../support/service.js';
import { printedBlock, runShell, shapeOf, shellBlock } from '../../support/shell-blocks.js';
import { until } from '../../support/until.js';
import { modern } from '../gateway/wire-call.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { aVerifiedServer, grant, pathOf } from '../mcp/servers.js';
import { anAttachment, file, type Attachment } from '../work/attachments.forms.js';

const PAGE = 'docs/operations.md';

/** Between two writes of one writer: each restored issue and file is read again, so the load is kept small. */
const PAUSE_MS = 500;

/** A drill starts three services and runs four commands. */
const DRILL_MS = 300_000;

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'awp-backup-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Written {
  issue: Issue;
  attachment: Attachment;
  bytes: Buffer;
}

/** Writes issues with attachments until it is stopped; `written` are the acknowledged ones. */
class Load {
  readonly written: Written[] = [];
  private stopped = false;
  private constructor(private readonly service: Service) {}

  static begin(service: Service, project: Project): { load: Load; ended: Promise<unknown> } {
    const load = new Load(service);
    return { load, ended: Promise.all([1, 2, 3].map(() => load.write(project))) };
  }

  stop(): void {
    this.stopped = true;
  }

  private async write(project: Project): Promise<void> {
    while (!this.stopped) {
      const bytes = randomBytes(20_000);
      try {
        const issue = await anIssue(this.service.owner, project);
        const attachment = await anAttachment(this.service.owner, issue, file(bytes));
        this.written.push({ issue, attachment, bytes });
        await sleep(PAUSE_MS);
      } catch {
        // Not acknowledged, because the service is shutting down.
        if (this.stopped) return;
      }
    }
  }
}

async function expectAllThere(service: Service, written: Written[]): Promise<void> {
  expect(written.length).toBeGreaterThan(5);
  for (const { issue, attachment, bytes } of written) {
    const found = await service.owner.get<Issue>(`/api/projects/issues/${issue.key}`);
    expect(found.body).toMatchObject({ id: issue.id, title: issue.title });
    expect((await service.owner.get(attachment.downloadUrl)).bytes.equals(bytes)).toBe(true);
  }
}

/** Every row has its bytes, including rows that were written during the backup. */
async function expectNoneWithoutBytes(service: Service, project: Project): Promise<void> {
  const issues = await service.owner.get<Issue[]>(`/api/projects/${project.id}/issues?limit=1000`);
  for (const { id } of issues.body) {
    const files = await service.owner.get<Attachment[]>(`/api/projects/issues/${id}/attachments`);
    for (const { downloadUrl, size } of files.body)
      expect((await service.owner.get(downloadUrl)).bytes.length).toBe(size);
  }
}

const catalog = new LocalCatalog().stdio('sets', ['sandbox-attempts.mjs', 'backup'], {
  variables: [{ name: 'MARK', isRequired: true }],
});
afterAll(() => catalog.remove());

/** Gives an agent a server with a credential set, and returns what a call of it is answered by a service. */
async function anAgentWithItsSet(service: Service): Promise<(at: Service) => Promise<string>> {
  const server = await aVerifiedServer(service.owner, 'sets', { envValues: { MARK: 'of-all' } });
  await createdBy(service.owner, `${pathOf(server)}/credential-sets`, {
    name: 'team',
    envValues: { MARK: 'of-the-team' },
  });
  const agent = await asAgent(service);
  await grant(service.owner, server, agent, { credentialSet: 'team' });
  const call = { name: `${server.slug}__environments`, arguments: {} };
  return async (at) => (await modern(agent.at(at), 'tools/call', call)).text;
}

/** Makes a webhook, whose secret is sealed. */
async function aSealedValue(service: Service): Promise<void> {
  const { status } = await service.owner.post('/api/webhooks', {
    url: 'https://hooks.example.com/x',
    eventTypes: ['issue.created'],
  });
  expect(status).toBe(201);
}

async function backUpNow(service: Service, settings: Record<string, string>): Promise<string> {
  const output = await runShell(shellBlock(PAGE, 'backup'), { ...placesOf(settings), ...settings });
  expect(shapeOf(output)).toEqual(shapeOf(printedBlock(PAGE, 'backup')));
  const name = /Backed up \d+ rows of \d+ tables to \S+\/([\dTZ-]+)\.\n/.exec(output)?.[1];
  expect(await service.owner.get('/api/projects')).toMatchObject({ status: 200 });
  return name!;
}

const manifestOf = async (backup: string): Promise<{ tables: { name: string }[] }> =>
  JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'));

const placesOf = ({ DATA_DIR }: Record<string, string>) => ({
  BACKUPS: join(folder, `${DATA_DIR!.split('/').at(-1)!}-data`),
  RINGS: join(folder, `${DATA_DIR!.split('/').at(-1)!}-rings`),
});

const isFull = process.env['TEST_SIZE'] === 'full';

describe.each([
  // A restored service takes seconds to start: at full size each database shows that an earlier backup lacks later issues.
  ['embedded', async () => ({ url: '', drop: async () => undefined }), isFull],
  ...(isFull ? ([['of DATABASE_URL', emptyDatabase, true]] as const) : []),
])('backup and restore with the database %s', (_, makeDatabase, restoresBoth) => {
  it(
    `bring back what was acknowledged before ${restoresBoth ? 'each' : 'the last'} of two backups under load`,
    async () => {
      const database = await makeDatabase();
      const service = new Service({ database, settings: { CATALOG_DIRS: catalog.folder } });
      try {
        await service.start();
        const settings = { DATA_DIR: service.dataDir, DATABASE_URL: database.url };
        await aSealedValue(service);
        const environment = await anAgentWithItsSet(service);
        const project = await aProject(service.owner);
        const { load, ended } = Load.begin(service, project);
        await until(() => load.written.length > 10);
        const monday = [...load.written];
        const names = [await backUpNow(service, settings)];
        await until(() => load.written.length > monday.length + 10);
        const tuesday = [...load.written];
        names.push(await backUpNow(service, settings));
        load.stop();
        await ended;
        expect((await readdir(placesOf(settings).BACKUPS)).toSorted()).toEqual(names);
        const { tables } = await manifestOf(join(placesOf(settings).BACKUPS, names[0]!));
        expect(tables.map((table) => table.name)).toEqual(expect.arrayContaining(['users', 'issues']));
        expect(tables.map((table) => table.name)).not.toContain('server_log_lines');
        await service.stop();

        for (const [name, written, lacking] of [
          ...(restoresBoth ? [[names[0]!, monday, tuesday.at(-1)!] as const] : []),
          [names[1]!, tuesday, null],
        ] as const) {
          const target = await makeDatabase();
          const restored = new Service({
            settings: { BOOTSTRAP_OWNER_API_KEY: service.ownerKey, CATALOG_DIRS: catalog.folder },
            database: target,
          });
          try {
            await restored.furnish();
            const { BACKUPS, RINGS } = placesOf(settings);
            const output = await runShell(shellBlock(PAGE, 'restore'), {
              BACKUP: join(BACKUPS, name),
              RING: join(RINGS, name, 'keyring.json'),
              DATA_DIR: restored.dataDir,
              DATABASE_URL: target.url,
            });
            // With DATABASE_URL the first line names the database too.
            const printed = output.replace('the database of DATABASE_URL and ', '');
            expect(shapeOf(printed)).toEqual(shapeOf(printedBlock(PAGE, 'restore')));
            await restored.start();
            await expectAllThere(restored, written);
            expect(await environment(restored)).toContain('of-the-team');
            await expectNoneWithoutBytes(restored, project);
            expect((await restored.owner.get<unknown[]>('/api/webhooks')).body).toHaveLength(1);
            if (lacking)
              expect(await restored.owner.get(`/api/projects/issues/${lacking.issue.key}`)).toMatchObject({
                status: 404,
              });
            // The identity columns go on after the restored rows.
            await anIssue(restored.owner, project);
          } finally {
            await restored.remove();
            await target.drop();
          }
        }
      } finally {
        await service.remove();
        await database.drop();
      }
    },
    DRILL_MS,
  );
});

describe('npm run restore', () => {
  const service = new Service({});
  let backup = '';
  let ring = '';
  let target: Awaited<ReturnType<typeof emptyDatabase>>;
  beforeAll(async () => {
    await service.start();
    await aSealedValue(service);
    const settings = { DATA_DIR: service.dataDir, DATABASE_URL: service.databaseUrl };
    const { code, said } = await run(BACKUP, [join(folder, 'refusals')], settings);
    expect(said).toMatch(/The key ring is NOT in this backup: keep a copy of .*keyring\.json elsewhere/);
    expect(code).toBe(0);
    backup = join(folder, 'refusals', (await readdir(join(folder, 'refusals')))[0]!);
    ring = join(service.dataDir, 'keyring.json');
    target = await emptyDatabase();
  });
  afterAll(async () => {
    await service.remove();
    await target.drop();
  });

  /** Restores a copy of the backup that `change` has changed, and checks that the refusal leaves nothing behind. */
  async function refusalOf(change: (copy: string) => Promise<unknown>, args = ['--ring', ring], code = 78) {
    const copy = await mkdtemp(join(folder, 'copy-'));
    await cp(backup, copy, { recursive: true });
    await change(copy);
    const data = join(copy, '..', `${copy.split('/').at(-1)!}-target`);
    const result = await run(RESTORE, [copy, ...args], { DATA_DIR: data, DATABASE_URL: target.url });
    expect(result.code).toBe(code);
    expect(await readdir(data).catch(() => [])).toEqual([]);
    expect(await tablesIn(target.url)).toEqual([]);
    return result.said;
  }

  const changeManifest =
    (change: (manifest: { migrations: object[]; format: number }) => void) => async (copy: string) => {
      const manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8'));
      change(manifest);
      await writeFile(join(copy, 'manifest.json'), JSON.stringify(manifest));
    };

  it('refuses half a backup', async () => {
    const text = await refusalOf((copy) => rm(join(copy, 'manifest.json')));
    expect(text).toMatch(/is not a complete backup: it has no manifest\.json\. Name a folder/);
  });

  it('refuses a backup in which a file was changed or is missing', async () => {
    const changed = await refusalOf((copy) => writeFile(join(copy, 'database', 'users.copy.gz'), 'x'));
    expect(changed).toMatch(
      /is damaged: database\/users\.copy\.gz is missing or was changed\. Restore another/,
    );
    const missing = await refusalOf((copy) => rm(join(copy, 'database', 'users.copy.gz')));
    expect(missing).toMatch(/database\/users\.copy\.gz is missing/);
    const unlisted = await refusalOf((copy) => writeFile(join(copy, 'SHA256SUMS'), ''));
    expect(unlisted).toMatch(/is damaged: SHA256SUMS/);
  });

  it('refuses the backup of a later version', async () => {
    const later = { timestamp: '9999999999999', name: 'Later9999999999999' };
    const text = await refusalOf(changeManifest((manifest) => manifest.migrations.push(later)));
    expect(text).toMatch(/whose migration 9999999999999 this version does not have\. Install version/);
    const format = await refusalOf(changeManifest((manifest) => (manifest.format = 2)));
    expect(format).toMatch(/whose format this version does not know\. Restore it with version/);
  });

  it('refuses a missing key ring and the key ring of another database', async () => {
    const missing = await refusalOf(async () => undefined, []);
    expect(missing).toMatch(/is sealed with key 'k1', and there is no key ring at .*--ring FILE/);
    const other = join(folder, 'other.json');
    const key = randomBytes(32).toString('base64');
    await writeFile(other, JSON.stringify({ version: 1, primary: 'k1', keys: [{ id: 'k1', key }] }), {
      mode: 0o600,
    });
    const wrong = await refusalOf(async () => undefined, ['--ring', other]);
    expect(wrong).toMatch(/Key 'k1' of the key ring is not the key 'k1'/);
    expect(wrong).not.toContain(key);
  });

  it('refuses a data folder and a database that are not empty', async () => {
    const full = join(folder, 'full');
    await mkdir(join(full, 'attachments'), { recursive: true });
    const folderRefusal = await run(RESTORE, [backup, '--ring', ring], {
      DATA_DIR: full,
      DATABASE_URL: target.url,
    });
    expect(folderRefusal.said).toMatch(
      /DATA_DIR \(.*full\) is not empty: it holds attachments\. Set DATA_DIR/,
    );
    const databaseRefusal = await run(RESTORE, [backup, '--ring', ring], {
      DATA_DIR: join(folder, 'new'),
      DATABASE_URL: service.databaseUrl,
    });
    expect(databaseRefusal.said).toMatch(
      /The database of DATABASE_URL is not empty: .*\. Create a new database/,
    );
    expect([folderRefusal.code, databaseRefusal.code]).toEqual([78, 78]);
  });

  it('shows its usage without a folder', async () => {
    expect(await run(RESTORE, [], {})).toMatchObject({
      code: 64,
      said: expect.stringContaining('npm run restore --'),
    });
  });
});

describe('npm run backup', () => {
  it.each([
    [
      'a folder in the data folder',
      () => [join(folder, 'own', 'backups')],
      /lies in DATA_DIR .*Name a folder outside/,
    ],
    [
      'a folder of the key ring that is not apart',
      () => [join(folder, 'b'), '--ring', join(folder, 'b', 'ring')],
      /is not apart from the backup .*Name another folder with --ring/,
    ],
    [
      'a data folder without a database',
      () => [join(folder, 'b')],
      /There is no data to back up in DATA_DIR/,
    ],
  ])('refuses %s and leaves nothing behind', async (_, args, text) => {
    const { code, said } = await run(BACKUP, args(), { DATA_DIR: join(folder, 'own') });
    expect(said).toMatch(text);
    expect(code).toBe(78);
    expect(await readdir(join(folder, 'b')).catch(() => [])).toEqual([]);
  });
});

async function tablesIn(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  await client.end();
  return rows.map(({ name }) => name);
}
