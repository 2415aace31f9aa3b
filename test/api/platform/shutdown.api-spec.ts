import { afterEach, describe, expect, it } from '@jest/globals';
import { someKey } from '../../support/builders.js';
import { asEditor } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';

let service: Service;
afterEach(() => service.remove());

const lockProjects = async () => {
  await service.sql('BEGIN');
  await service.sql('LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
};
const isWaiting = async () =>
  (await service.sql(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`)).length > 0;

describe('SIGTERM', () => {
  it('ends the service with 0', async () => {
    service = await startService();
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  it('lets a request that is in flight finish, and takes no further one', async () => {
    service = await startService();
    const editor = await asEditor(service);
    await lockProjects();
    const inFlight = editor.post('/api/projects', { key: someKey(), name: 'in flight' });
    await until(isWaiting);
    const ended = service.stop();
    const late = until(async () => {
      const answer = await editor.unchecked().get('/livez').catch(() => null);
      return answer?.status !== 200;
    });
    await late;
    await service.sql('ROLLBACK');
    expect((await inFlight).status).toBe(201);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await service.sql(`SELECT 1 FROM projects WHERE name = 'in flight'`)).toHaveLength(1);
  });

  it('leaves no connection to the database behind', async () => {
    service = await startService();
    await service.owner.get('/api/projects');
    await service.stop();
    const open = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'agent-work-platform' AND datname = current_database()`;
    expect(await service.sql(open)).toEqual([]);
  });
});

describe('kill -9', () => {
  it('loses nothing that was answered, and the service starts again', async () => {
    service = await startService();
    const editor = await asEditor(service);
    const made = await editor.post('/api/projects', { key: someKey(), name: 'kept' });
    await service.kill();
    await service.start();
    expect((await editor.get(`/api/projects/${made.body.id}`)).body).toEqual(made.body);
  });
});

describe('a database that does not answer in time', () => {
  it('is a 503 that says when to try again, and the service lives on', async () => {
    service = await startService();
    const editor = await asEditor(service);
    await lockProjects();
    const answer = await editor.get('/api/projects');
    expect(answer).toMatchObject({ ...refused(503, 'unavailable'), headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
    await service.sql('ROLLBACK');
    expect((await editor.get('/api/projects')).status).toBe(200);
  });

  it('is never told to someone with a made-up key: it costs no query', async () => {
    service = await startService();
    await service.sql('BEGIN');
    await service.sql('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    const madeUp = await service.owner.get('/api/auth/me', { headers: { authorization: `Bearer awp_u_${'a'.repeat(49)}` } });
    expect(madeUp).toMatchObject(refused(401, 'unauthenticated'));
    expect(await service.owner.get('/api/auth/me')).toMatchObject(refused(503, 'unavailable'));
    await service.sql('ROLLBACK');
  });

  it('that cuts every connection is come back from', async () => {
    service = await startService();
    await service.owner.get('/api/projects');
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'agent-work-platform' AND datname = current_database()`;
    await service.sql(cut);
    await until(async () => (await service.owner.get('/api/projects')).status === 200);
    expect((await service.owner.get('/readyz')).status).toBe(200);
  });
});
