import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, anIssue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { pooledSettings } from '../../support/database-settings.js';
import { runHosted } from '../../support/commands.js';
import { KEYS } from '../../support/key-ring.js';
import { hasPgBouncer, startPgBouncer, type PgBouncer } from '../../support/pgbouncer.mjs';
import { createDatabase, type TestDatabase } from '../../support/postgres.mjs';
import { ReconnectingReader } from '../../support/reconnecting-reader.js';
import { ServiceProcess } from '../../support/service-process.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';

const title = 'PgBouncer in transaction mode before the database';

if (!hasPgBouncer)
  describe.skip(`${title}: this host has no pgbouncer`, () => it('is skipped', () => undefined));
else
  describe(title, () => {
    let database: TestDatabase;
    let pooler: PgBouncer;
    let service: Service;
    let editor: Caller;
    let project: Project;
    let settings: Record<string, string>;

    beforeAll(async () => {
      database = await createDatabase();
      pooler = await startPgBouncer(process.env['AWP_TEST_ADMIN_URL']!);
      settings = pooledSettings(database.url, new URL(pooler.before(database.url)).host);
      service = await startService({ database, settings });
      editor = await asEditor(service);
      project = await aProject(editor);
    });
    afterAll(async () => {
      await service?.remove();
      await pooler?.stop();
      await database?.drop();
    });

    it('answers 320 requests in waves of 40, as without it', async () => {
      const { id } = await anIssue(editor, project);
      const wave = () => [
        ...Array.from({ length: 10 }, (_, index) =>
          editor.post(`/api/projects/${project.id}/issues`, { title: `Issue ${index}` }),
        ),
        ...Array.from({ length: 15 }, () => editor.get(`/api/projects/${project.id}/issues`)),
        ...Array.from({ length: 15 }, () => editor.get(`/api/projects/issues/${id}`)),
      ];
      for (let round = 0; round < 8; round += 1) {
        const answers = await Promise.all(wave());
        expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
      }
    });

    it('delivers changes to event streams, and work to agents', async () => {
      const reader = await ReconnectingReader.begin(editor.unchecked());
      try {
        const agent = await asAgent(service);
        const { id } = await anIssue(editor, project, { assignedAgentId: agent.id });
        await until(() => reader.subjectsOf('issue.created').includes(id));
        const beat = await agent.post<{ pickedUp: unknown[] }>('/api/agents/me/heartbeat', {});
        expect(beat.body.pickedUp.length).toBe(1);
      } finally {
        await reader.stop();
      }
    });

    it('gives the limits of a connection to the role, since a pooler keeps them from connections', async () => {
      const [row] = await service.sql<{ limits: string[] }>(
        `SELECT setconfig AS limits FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
         WHERE d.datname = current_database()`,
      );
      expect(row!.limits).toEqual(expect.arrayContaining(['statement_timeout=10000', 'lock_timeout=3000']));
    });

    it.each([
      ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: '', DATABASE_PREPARED: 'on' }],
      ['DATABASE_PREPARED=off', { DATABASE_PREPARED: 'on' }],
    ])('refuses to start and names %s when that is missing', async (name, missing) => {
      const process = new ServiceProcess({
        ...settings,
        DATA_DIR: service.dataDir,
        ...missing,
      });
      await process.ended;
      expect(process.log).toContain(`Set ${name}`);
      expect(process.log).not.toContain('    at ');
    });

    it('lets a key be retired once the service has ended, and keeps its connections by then', async () => {
      const keys = (...words: string[]) => runHosted(KEYS, words, { ...settings, DATA_DIR: service.dataDir });
      for (const command of ['add', 'rotate']) expect(await keys(command)).toMatchObject({ code: 0 });
      expect(await keys('retire', 'k1')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Stop the service first'),
      });
      await service.stop();
      const kept = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'agent-work-platform pooled'`;
      expect(await service.sql(kept)).not.toEqual([]);
      expect((await keys('retire', 'k1')).stdout).toContain('Removed key');
    });
  });
