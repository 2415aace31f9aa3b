import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { aProject, someKey, someName } from '../../support/builders.js';
import type { Answer } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';

const service = useService();
let editor: Caller;
beforeAll(async () => {
  editor = await asEditor(service);
});

const aBody = () => ({ key: someKey(), name: someName('project') });
const send = (body: object, key: string, caller = editor) =>
  caller.post('/api/projects', body, { headers: { 'Idempotency-Key': key } });
const replayed = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true';
const projectsNamed = (name: string) => service.sql('SELECT 1 FROM projects WHERE name = $1', [name]);

/** Leaves the claim of a process that died before it responded, `seconds` ago. */
const leaveClaim = (key: string, seconds: number) =>
  service.sql(
    `UPDATE idempotency_keys SET status = NULL, headers = NULL, body = NULL, claimed_at = now() - make_interval(secs => $2)
     WHERE key = $1`,
    [key, seconds],
  );

describe('a request that is sent again with its Idempotency-Key', () => {
  it('returns the first response again and creates nothing', async () => {
    const [body, key] = [aBody(), randomUUID()];
    const [first, again] = [await send(body, key), await send(body, key)];
    expect(first.status).toBe(201);
    expect(replayed(first)).toBe(false);
    expect(again).toMatchObject({
      status: 201,
      body: first.body,
      headers: { location: first.headers['location'] },
    });
    expect(replayed(again)).toBe(true);
    expect(await projectsNamed(body.name)).toHaveLength(1);
  });

  it('is the same request in any order of its fields', async () => {
    const [body, key] = [aBody(), randomUUID()];
    await send(body, key);
    expect(replayed(await send({ name: body.name, key: body.key }, key))).toBe(true);
  });

  it('returns a refusal again, too', async () => {
    const [body, key] = [aBody(), randomUUID()];
    await aProject(editor, { key: body.key });
    const [first, again] = [await send(body, key), await send(body, key)];
    expect(first).toMatchObject(refused(409, 'name_taken'));
    expect(again.body).toEqual(first.body);
    expect(again.headers['content-type']).toMatch('application/problem+json');
    expect(replayed(again)).toBe(true);
  });

  it('is refused with 422 when the body differs', async () => {
    const key = randomUUID();
    await send(aBody(), key);
    expect(await send(aBody(), key)).toMatchObject(refused(422, 'idempotency_key_reused'));
  });

  it('is another request when the caller differs', async () => {
    const key = randomUUID();
    await send(aBody(), key);
    expect((await send(aBody(), key, await asEditor(service))).status).toBe(201);
  });

  it('is not stored when it fails validation', async () => {
    const key = randomUUID();
    expect(await send({ name: 'x' }, key)).toMatchObject(refused(400, 'validation_failed', 'key'));
    expect((await send(aBody(), key)).status).toBe(201);
  });

  it('is a new request after 24 hours', async () => {
    const key = randomUUID();
    await send(aBody(), key);
    await service.sql(
      `UPDATE idempotency_keys SET claimed_at = now() - interval '24 hours 1 second' WHERE key = $1`,
      [key],
    );
    const later = await send(aBody(), key);
    expect(later.status).toBe(201);
    expect(replayed(later)).toBe(false);
  });
});

describe('a key', () => {
  it.each(['x'.repeat(256), 'two words', 'é'])(
    'is rejected unless it is 1 to 255 visible ASCII characters: %j',
    async (key) => {
      const answer = await editor.post('/api/projects', aBody(), {
        headers: { 'Idempotency-Key': Buffer.from(key).toString('latin1') },
      });
      expect(answer).toMatchObject(refused(400, 'validation_failed', 'Idempotency-Key'));
    },
  );

  it('returns no stored response to a caller with a lower key or a lower role than before', async () => {
    const [body, key, demoted] = [aBody(), randomUUID(), await asEditor(service)];
    await send(body, key, demoted);
    await service.owner.put(`/api/users/${demoted.id}`, { role: 'Viewer' });
    expect(await send(body, key, demoted)).toMatchObject(refused(403, 'forbidden'));
  });
});

describe('concurrent requests with one key', () => {
  it('create one object; the others return the same response, or 409 with Retry-After', async () => {
    const [body, key] = [aBody(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(body, key)));
    expect(answers.filter((answer) => answer.status === 201 && !replayed(answer))).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject(refused(409, 'idempotency_key_in_use'));
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect(await projectsNamed(body.name)).toHaveLength(1);
    expect(replayed(await send(body, key))).toBe(true);
  });

  it('create one object through two processes, too', async () => {
    const [body, key, other] = [aBody(), randomUUID(), await service.second()];
    const callers = [editor, editor.at(other)];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => send(body, key, callers[at % 2])),
    );
    expect(answers.filter((answer) => answer.status === 201 && !replayed(answer))).toHaveLength(1);
    expect(await projectsNamed(body.name)).toHaveLength(1);
  });
});

describe('a key whose request died', () => {
  it('is in use for 60 seconds and free after that', async () => {
    const [body, key] = [aBody(), randomUUID()];
    await send(body, key);
    await service.sql('DELETE FROM projects WHERE name = $1', [body.name]);
    await leaveClaim(key, 50);
    expect(await send(body, key)).toMatchObject(refused(409, 'idempotency_key_in_use'));
    await leaveClaim(key, 61);
    const free = await send(body, key);
    expect(free.status).toBe(201);
    expect(replayed(free)).toBe(false);
  });

  it('is free at once when the service responded with 5xx', async () => {
    const [body, key] = [aBody(), randomUUID()];
    await service.sql('BEGIN');
    await service.sql('LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
    const answer = await send(body, key);
    await service.sql('ROLLBACK');
    expect(answer).toMatchObject(refused(503, 'unavailable'));
    expect((await send(body, key)).status).toBe(201);
  });
});
