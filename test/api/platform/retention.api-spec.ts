import { describe, expect, it } from '@jest/globals';
import { TimelineAndDeliveryRetentionRepository } from '../../../src/gateway/event-stream/timeline-journal-and-delivery-retention.worker.js';
import type { DataSource } from 'typeorm';
import { anAgent, anIssue, aProject, createdBy } from '../../support/builders.js';
import { asEditor, asSession } from '../../support/callers.js';
import { type Service, startService, useService } from '../../support/service.js';
import { until } from '../../support/until.js';

/** Lets every chore run again with the next start of a process. */
const makeDue = (service: Service) => service.sql('DELETE FROM chores');

describe('a key that ends soon', () => {
  const service = useService();

  it('is reported once, in the journal and in the log, and a key for a short time is not', async () => {
    const agent = await anAgent(service.owner);
    const aKey = async (name: string) => {
      const key = await createdBy<{ id: string; key: string }>(
        service.owner,
        `/api/agents/${agent.id}/keys`,
        { name },
      );
      return key;
    };
    const [ending, short, lasting] = [await aKey('ending'), await aKey('short'), await aKey('lasting')];
    const expiry = `UPDATE api_keys SET expires_at = now() + $2::interval, created_at = now() - $3::interval WHERE id = $1`;
    await service.sql(expiry, [ending.id, '13 days', '60 days']);
    await service.sql(expiry, [short.id, '1 day', '1 day']);
    await service.sql(expiry, [lasting.id, '15 days', '60 days']);
    const warnings = async () =>
      (await service.owner.get<{ subject: { id: string } }[]>('/api/audit?type=key.expiring')).body;
    for (const round of [1, 2]) {
      await makeDue(service);
      await service.stop();
      await service.start();
      await until(
        async () => (await service.sql(`SELECT 1 FROM chores WHERE name = 'keys that end soon'`)).length > 0,
      );
      await until(async () => (await warnings()).length > 0);
      expect({ round, warnings: await warnings() }).toMatchObject({
        round,
        warnings: [{ subject: { type: 'key', id: ending.id }, data: { name: 'ending', agentId: agent.id } }],
      });
      if (round === 1) await until(() => service.log.includes("The key 'ending'"));
      else expect(service.log).not.toContain("The key 'ending'");
      expect(service.log).not.toContain(ending.key);
    }
  });
});

describe('the retention of the journal', () => {
  const service = useService();
  const SETTINGS = { JOURNAL_RETENTION_DAYS: '90' };
  /** Makes the whole journal older, past the trigger that keeps it append-only. */
  const age = async (days: number) => {
    await service.sql('ALTER TABLE journal DISABLE TRIGGER journal_append_only');
    await service.sql('UPDATE journal SET created_at = now() - make_interval(days => $1)', [days]);
    await service.sql('ALTER TABLE journal ENABLE TRIGGER journal_append_only');
  };
  const types = async () =>
    (await service.sql<{ type: string }>('SELECT type FROM journal ORDER BY position')).map(
      ({ type }) => type,
    );
  const prune = async () => {
    await makeDue(service);
    await service.second(SETTINGS);
    await until(
      async () => (await service.sql(`SELECT 1 FROM chores WHERE name = 'old journal rows'`)).length > 0,
    );
  };

  it('deletes old rows of no issue and says so, and keeps timelines and young rows', async () => {
    const editor = await asEditor(service);
    const project = await aProject(editor);
    const issue = await anIssue(editor, project);
    await age(91);
    await anAgent(service.owner);
    const before = await types();
    expect(before).toContain('key.created');
    await prune();
    await until(async () => (await types()).includes('journal.pruned'));
    const after = await types();
    expect(after).toContain('issue.created');
    expect(after.filter((type) => type === 'agent.created')).toHaveLength(1);
    expect(after).not.toContain('project.created');
    expect((await editor.get<unknown[]>(`/api/projects/issues/${issue.id}/activity`)).body).toHaveLength(1);
    const [entry] = (await service.owner.get<{ data: { rows: number } }[]>('/api/audit?type=journal.pruned'))
      .body;
    expect(entry).toMatchObject({ actor: { type: 'system' }, data: { days: 90, rows: expect.any(Number) } });
    expect(entry!.data.rows).toBe(before.length + 1 - after.length);
  });

  it('keeps what an enabled webhook has still to receive, and the newest row', async () => {
    const source = { query: (text: string, parameters: unknown[]) => service.sql(text, parameters) };
    const journal = new TimelineAndDeliveryRetentionRepository(source as unknown as DataSource);
    await service.sql('BEGIN');
    await age(91);
    await service.sql(
      `INSERT INTO webhooks (id, url, since_position) VALUES (gen_random_uuid(), 'https://example.com', 0)`,
    );
    await service.sql('UPDATE webhook_feed SET position = 0');
    expect(await journal.prune(90)).toMatchObject({ rows: 0 });
    await service.sql('UPDATE webhooks SET disabled = true');
    expect((await journal.prune(90)).rows).toBeGreaterThan(0);
    const left = await service.sql(
      'SELECT 1 FROM journal WHERE position = (SELECT max(position) FROM journal)',
    );
    await service.sql('ROLLBACK');
    expect(left).toHaveLength(1);
  });

  it('still refuses every other deletion', async () => {
    await expect(service.sql('DELETE FROM journal')).rejects.toThrow('append-only');
  });
});

describe('the age of sessions', () => {
  it('is a setting, and sessions past it are removed', async () => {
    const service = await startService({
      settings: { SESSION_IDLE_HOURS: '1', SESSION_MAX_DAYS: '30' },
    });
    const caller = await asSession(service, 'Viewer');
    const set = (change: string) =>
      service.sql(`UPDATE sessions SET ${change} WHERE user_id = $1`, [caller.id]);
    await set(`created_at = now() - interval '29 days'`);
    expect((await caller.get('/api/auth/me')).status).toBe(200);
    await set(`last_used_at = now() - interval '61 minutes'`);
    expect((await caller.get('/api/auth/me')).status).toBe(401);
    await set(`created_at = now() - interval '31 days'`);
    await makeDue(service);
    await service.stop();
    await service.start();
    await until(async () => (await service.sql('SELECT 1 FROM sessions')).length === 0);
    await service.remove();
  });
});
