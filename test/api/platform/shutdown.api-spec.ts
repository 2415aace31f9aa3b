import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { someKey } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { startService, useService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';

const lock = async (service: Service, table: string) => {
  await service.sql('BEGIN');
  await service.sql(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
};
const isWaiting = async (service: Service) =>
  (
    await service.sql(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    )
  ).length > 0;
const openConnections = async (service: Service) => {
  // An open transaction sees what it saw first.
  await service.sql('SELECT pg_stat_clear_snapshot()');
  return (
    await service.sql(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'agent-work-platform' AND datname = current_database()`,
    )
  ).length;
};

// One service for all three: each start of a process costs two seconds of a processor.
describe('SIGTERM', () => {
  let service: Service;
  let editor: Caller;
  beforeAll(async () => {
    service = await startService({ ownProcess: true });
    editor = await asEditor(service);
  });
  afterAll(() => service?.remove());

  it('lets a request in flight finish, accepts no further one, and ends the service with 0 and without a connection to the database', async () => {
    await lock(service, 'projects');
    const inFlight = editor.post('/api/projects', { key: someKey(), name: 'in flight' });
    await until(() => isWaiting(service));
    const ended = service.stop();
    await until(async () => {
      const answer = await editor
        .unchecked()
        .get('/livez')
        .catch(() => null);
      return answer?.status !== 200;
    });
    await service.sql('ROLLBACK');
    // A connection that stayed open would delay the end for as long as its client likes.
    expect(await inFlight).toMatchObject({ status: 201, headers: { connection: 'close' } });
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await openConnections(service)).toBe(0);
    expect(await service.sql(`SELECT 1 FROM projects WHERE name = 'in flight'`)).toHaveLength(1);
  });

  it('is not needed: kill -9 loses nothing that was acknowledged, and the service starts again', async () => {
    await service.start();
    const made = await editor.post('/api/projects', { key: someKey(), name: 'kept' });
    await service.kill();
    await service.start();
    expect((await editor.get(`/api/projects/${made.body.id}`)).body).toEqual(made.body);
  });

  it('waits for the transaction of a request whose client has left', async () => {
    await lock(service, 'projects');
    const left = new AbortController();
    const request = editor
      .unchecked()
      .post('/api/projects', { key: someKey(), name: 'left' }, { signal: left.signal });
    await until(() => isWaiting(service));
    left.abort();
    await expect(request).rejects.toThrow();
    const ended = service.stop();
    // The pool ends: all is closed but the connection that the transaction uses.
    await until(async () => (await openConnections(service)) <= 1);
    await service.sql('ROLLBACK');
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});

describe('a database that does not respond in time', () => {
  const service = useService();

  it('causes a 503 that says when to try again, and the service continues', async () => {
    const editor = await asEditor(service);
    await lock(service, 'projects');
    const answer = await editor.get('/api/projects');
    expect(answer).toMatchObject({
      ...refused(503, 'unavailable'),
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    await service.sql('ROLLBACK');
    expect((await editor.get('/api/projects')).status).toBe(200);
  });

  it('does not concern a caller with a made-up key, which costs no query', async () => {
    await lock(service, 'api_keys');
    const madeUp = await service.owner.get('/api/auth/me', {
      headers: { authorization: `Bearer awp_u_${'a'.repeat(49)}` },
    });
    expect(madeUp).toMatchObject(refused(401, 'unauthenticated'));
    expect(await service.owner.get('/api/auth/me')).toMatchObject(refused(503, 'unavailable'));
    await service.sql('ROLLBACK');
  });

  it('is used again after it cut every connection', async () => {
    await service.owner.get('/api/projects');
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'agent-work-platform' AND datname = current_database()`;
    await service.sql(cut);
    await until(async () => (await service.owner.get('/api/projects')).status === 200);
    expect((await service.owner.get('/readyz')).status).toBe(200);
  });
});
