import { beforeAll, describe, expect, it } from '@jest/globals';
import { createdBy } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAdmin } from '../../support/callers.js';
import { notFound, refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

/** More than two requests end: 5,000 each. */
const BACKLOG = 12_000;

const service = useService();
let admin: Caller;
let path: string;
let id: string;
beforeAll(async () => {
  admin = await asAdmin(service);
});

/** A webhook that has as many deliveries to send, the last of them in an hour. */
async function withBacklog(): Promise<void> {
  ({ id } = await createdBy<{ id: string }>(admin, '/api/webhooks', {
    url: 'https://example.com/hook',
    eventTypes: ['goal.*'],
  }));
  path = `/api/webhooks/${id}`;
  await service.sql(
    `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_position, type, lane, next_attempt_at)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), (SELECT max(from_position) FROM journal_months) + 1000000 + n, 'issue.updated', 'lane ' || n % 100,
       now() + interval '1 hour' FROM generate_series(1, $2::int) AS n`,
    [id, BACKLOG],
  );
}

const rows = async (condition: string): Promise<number> => {
  const sql = `SELECT count(*)::int AS count FROM webhook_deliveries WHERE webhook_id = $1 AND ${condition}`;
  return (await service.sql<{ count: number }>(sql, [id]))[0]!.count;
};

/** A process looks at its start for chores that are due. */
async function runChores(isDone: () => Promise<boolean>): Promise<void> {
  await service.sql(`DELETE FROM chores WHERE name = 'deliveries of ended webhooks'`);
  const other = await service.second();
  await until(isDone);
  await other.stop();
}

describe('a webhook with more to send than one request may end', () => {
  it('is disabled at once; what is left ends in the background, and it is not enabled before', async () => {
    await withBacklog();
    expect(await admin.put(path, { disabled: true })).toMatchObject({
      status: 200,
      body: { disabled: true },
    });
    expect(await rows(`status = 'pending'`)).toBe(BACKLOG - 5_000);
    const early = await admin.unchecked().put(path, { disabled: false });
    expect(early).toMatchObject({ ...refused(503, 'unavailable'), headers: { 'retry-after': '5' } });
    expect(early.text).toContain('still being ended');
    expect((await admin.get(path)).body).toMatchObject({ disabled: true });
    await runChores(async () => (await rows(`status = 'pending'`)) === 0);
    expect(
      await rows(
        `status = 'failed' AND next_attempt_at IS NULL AND attempts @> '[{"error": "The webhook is disabled."}]'`,
      ),
    ).toBe(BACKLOG);
    expect(await admin.put(path, { disabled: false })).toMatchObject({
      status: 200,
      body: { disabled: false },
    });
  });

  it('is deleted at once with its secrets, and its log is removed in the background', async () => {
    await withBacklog();
    expect((await admin.delete(path)).status).toBe(204);
    for (const answer of [
      await admin.get(path),
      await admin.get(`${path}/deliveries`),
      await admin.put(path, { disabled: false }),
      await admin.post(`${path}/rotate-secret`, {}),
      await admin.delete(path),
    ])
      expect(answer).toMatchObject(notFound);
    expect((await admin.get('/api/webhooks')).text).not.toContain(id);
    expect(await service.sql('SELECT 1 FROM webhook_secrets WHERE webhook_id = $1', [id])).toEqual([]);
    expect(await rows('true')).toBe(BACKLOG - 5_000);
    await runChores(
      async () => (await service.sql('SELECT 1 FROM webhooks WHERE id = $1', [id])).length === 0,
    );
    expect(await rows('true')).toBe(0);
  });
});
