import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aProject, type Issue, type Project } from '../../support/builders.js';
import type { Answer } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asEditor } from '../../support/callers.js';
import { postgresTools } from '../../support/debian-postgres.js';
import { refused } from '../../support/refusal.js';
import { ReplicatedPostgres } from '../../support/replicated-postgres.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';

const POOL = 6;
const WAITING = `
  SELECT pid FROM pg_stat_activity WHERE datname = 'work' AND wait_event = 'SyncRep' AND application_name = 'agent-work-platform'`;
/** The next request of each key writes when it was used. */
const KEYS_USED_LONG_AGO = "UPDATE api_keys SET last_used_at = now() - interval '1 hour'";
const BLOCKED = "SELECT pid FROM pg_stat_activity WHERE datname = 'work' AND wait_event_type = 'Lock'";

const tools = postgresTools();
const withPostgres = tools === null ? describe.skip : describe;
if (tools === null)
  console.warn('A standby that is away is not tested: this host has no PostgreSQL with its tools.');

withPostgres('a database whose synchronous standby is away', () => {
  let postgres: ReplicatedPostgres;
  let service: Service;
  let editor: Caller;
  let project: Project;
  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start(tools!);
    await postgres.createDatabase('work');
    service = await startService({
      ownProcess: true,
      database: { url: postgres.urlOf('work') },
      settings: { DATABASE_POOL_SIZE: String(POOL) },
    });
    editor = (await asEditor(service)).unchecked();
    project = await aProject(editor);
  }, 120_000);
  beforeEach(async () => {
    await postgres.returnReplica();
    await until(async () => (await anonymous(service).unchecked().get('/readyz')).status === 200);
  });
  afterAll(async () => {
    await postgres?.returnReplica();
    await service?.remove();
    await postgres?.remove();
  });

  const issues = () => `/api/projects/${project.id}/issues`;
  const make = (title: string, key?: string) =>
    editor.post<Issue>(issues(), { title }, { headers: key ? { 'Idempotency-Key': key } : {} });
  const titled = async (title: string) => {
    const { body } = await editor.get<Issue[]>(`${issues()}?limit=200`);
    return body.filter((issue) => issue.title === title);
  };
  const waiting = async () => (await postgres.sql(WAITING)).length;

  it('refuses a write in time as one whose outcome is not known, and reads go on', async () => {
    await postgres.sql(KEYS_USED_LONG_AGO, 'work');
    await postgres.cutReplica();
    const answer = await make('unconfirmed');
    expect(answer).toMatchObject({
      ...refused(503, 'outcome_unknown'),
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    expect(await titled('unconfirmed')).toEqual([]);
    expect((await anonymous(service).unchecked().get('/readyz')).body).toMatchObject({
      checks: { database: 'unconfirmed' },
    });
    await postgres.returnReplica();
    await until(async () => (await titled('unconfirmed')).length === 1);
    await until(async () => (await anonymous(service).unchecked().get('/readyz')).status === 200);
  });

  it('returns the one outcome to the repetition of a write whose confirmation was late, and makes nothing twice', async () => {
    const [title, key] = ['repeated', randomUUID()];
    const locking = new Client({ connectionString: postgres.urlOf('work') });
    await locking.connect();
    await locking.query('BEGIN; LOCK TABLE issues IN EXCLUSIVE MODE');
    const first = make(title, key);
    await until(async () => (await postgres.sql(BLOCKED)).length > 0);
    await postgres.cutReplica();
    // A rollback waits for no standby.
    await locking.query('ROLLBACK');
    await locking.end();
    expect(await first).toMatchObject(refused(503, 'outcome_unknown'));
    expect((await make(title, key)).status).toBe(503);
    await postgres.returnReplica();
    const repeated: Answer<Issue>[] = [];
    await until(async () => {
      repeated.push(await make(title, key));
      return repeated.at(-1)!.status === 201;
    });
    expect(repeated.at(-1)!.headers['idempotency-replayed']).toBe('true');
    expect((await titled(title)).map(({ id }) => id)).toEqual([repeated.at(-1)!.body.id]);
  });

  it('says of a request whose key could not be kept that it has not begun, and the key is free afterwards', async () => {
    const [title, key] = ['not begun', randomUUID()];
    await postgres.cutReplica();
    expect(await make(title, key)).toMatchObject(refused(503, 'unavailable'));
    await postgres.returnReplica();
    await until(async () => (await postgres.sql(WAITING)).length === 0);
    await until(async () => (await make(title, key)).status === 201);
    expect(await titled(title)).toHaveLength(1);
  });

  it('keeps half of the pool for reads, however many writes come, and refuses those that it has not begun as such', async () => {
    const projects = await Promise.all(Array.from({ length: 4 * POOL }, () => aProject(editor)));
    const many = () =>
      Promise.all(
        projects.map(({ id }) => editor.post<Issue>(`/api/projects/${id}/issues`, { title: 'many' })),
      );
    const made = async () => {
      const lists = await Promise.all(
        projects.map(({ id }) => editor.get<Issue[]>(`/api/projects/${id}/issues`)),
      );
      return lists.flatMap(({ body }) => body).length;
    };
    await postgres.cutReplica();
    const answers = await many();
    const codes = answers.map(({ body }) => (body as { code?: string }).code);
    const unknown = codes.filter((code) => code === 'outcome_unknown').length;
    expect(unknown).toBeGreaterThan(POOL / 2);
    expect(codes.filter((code) => code === 'unavailable')).toHaveLength(codes.length - unknown);
    for (const { body } of await many()) expect(body).toMatchObject({ code: 'unavailable' });
    expect(await waiting()).toBe(unknown);
    expect(unknown).toBeLessThanOrEqual(POOL);
    expect(await made()).toBe(0);
    await postgres.returnReplica();
    await until(async () => (await made()) === unknown);
    for (const { status } of await many()) expect(status).toBe(201);
    expect(await made()).toBe(unknown + projects.length);
  });

  it('does not hold up the end of the process', async () => {
    await postgres.cutReplica();
    expect(await make('at the end')).toMatchObject(refused(503, 'outcome_unknown'));
    expect(await service.stop()).toMatchObject({ code: 0 });
  });
});
