import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import { DebianPostgres, postgresTools } from '../../support/debian-postgres.js';
import { Service } from '../../support/service.js';
import { runShell, shellBlock } from '../../support/shell-blocks.js';
import { until } from '../../support/until.js';
import { anAttachment, file, type Attachment } from '../work/attachments.forms.js';

const PAGE = 'docs/operations.md';
const tools = postgresTools();
const drill = tools ? it : it.skip;
if (!tools)
  console.warn('pg_dump is not installed here: the drill with a PostgreSQL of its own is left out.');

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'awp-backup-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Written {
  issue: Issue;
  attachment: Attachment;
  bytes: Buffer;
}

/** Writes issues with attachments until told to stop; `written` are those that were acknowledged. */
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
        await sleep(30);
      } catch {
        // Not acknowledged: the service is going down.
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

/** Every row has its bytes, also of what was written while the backup was made. */
async function expectNoneWithoutBytes(service: Service, project: Project): Promise<void> {
  const issues = await service.owner.get<Issue[]>(`/api/projects/${project.id}/issues?limit=1000`);
  for (const { id } of issues.body) {
    const files = await service.owner.get<Attachment[]>(`/api/projects/issues/${id}/attachments`);
    for (const { downloadUrl, size } of files.body)
      expect((await service.owner.get(downloadUrl)).bytes.length).toBe(size);
  }
}

/** Puts a ring of other keys in place for one start, which must end with 78. */
async function expectWrongRingRefused(service: Service): Promise<void> {
  const path = join(service.dataDir, 'keyring.json');
  const right = await readFile(path, 'utf8');
  const key = randomBytes(32).toString('base64');
  await writeFile(path, JSON.stringify({ version: 1, primary: 'k1', keys: [{ id: 'k1', key }] }));
  await expect(service.start()).rejects.toThrow(/"code":78[\s\S]*'k1'/);
  await writeFile(path, right);
}

describe('the backup that docs/operations.md describes', () => {
  drill('of a PostgreSQL of its own, made under load, brings back all that was acknowledged', async () => {
    const postgres = await DebianPostgres.start(tools!);
    const service = new Service({ database: { url: await postgres.createDatabase('before') } });
    const restored = new Service({
      settings: { BOOTSTRAP_OWNER_API_KEY: service.ownerKey },
      database: { url: await postgres.createDatabase('after') },
    });
    const places = { BACKUP: join(folder, 'dump'), RING_BACKUP: join(folder, 'ring') };
    const PATH = `${tools}:${process.env['PATH']}`;
    try {
      await service.start();
      const project = await aProject(service.owner);
      const { load, ended } = Load.begin(service, project);
      await until(() => load.written.length > 10);
      const before = [...load.written];
      await runShell(shellBlock(PAGE, 'backup'), {
        ...places,
        PATH,
        DATABASE_URL: service.databaseUrl,
        DATA_DIR: service.dataDir,
      });
      const after = load.written.length;
      load.stop();
      await ended;
      expect(after).toBeGreaterThan(before.length);

      await restored.furnish();
      await runShell(shellBlock(PAGE, 'restore'), {
        ...places,
        PATH,
        DATABASE_URL: restored.databaseUrl,
        DATA_DIR: restored.dataDir,
      });
      await expectWrongRingRefused(restored);
      await restored.start();
      await expectAllThere(restored, before);
      await expectNoneWithoutBytes(restored, project);
    } finally {
      await restored.remove();
      await service.remove();
      await postgres.remove();
    }
  });

  it('of the embedded database, stopped under load, brings back all that was acknowledged', async () => {
    const settings = { DATABASE_URL: '' };
    const service = new Service({ settings, database: { url: '' } });
    const restored = new Service({
      settings: { ...settings, BOOTSTRAP_OWNER_API_KEY: service.ownerKey },
      database: { url: '' },
    });
    const places = { BACKUP: join(folder, 'cold'), RING_BACKUP: join(folder, 'cold-ring') };
    try {
      await service.start();
      const project = await aProject(service.owner);
      const { load, ended } = Load.begin(service, project);
      await until(() => load.written.length > 10);
      const stopping = service.stop();
      load.stop();
      expect(await stopping).toMatchObject({ code: 0 });
      await ended;
      await runShell(shellBlock(PAGE, 'cold backup'), { ...places, DATA_DIR: service.dataDir });

      await restored.furnish();
      await rm(restored.dataDir, { recursive: true });
      await runShell(shellBlock(PAGE, 'cold restore'), { ...places, DATA_DIR: restored.dataDir });
      await expectWrongRingRefused(restored);
      await restored.start();
      await expectAllThere(restored, load.written);
      await expectNoneWithoutBytes(restored, project);
    } finally {
      await restored.remove();
      await service.remove();
    }
  });
});
