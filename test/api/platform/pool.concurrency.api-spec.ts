import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { aProject, someKey, someName } from '../../support/builders.js';
import type { Answer } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { useService } from '../../support/service.js';

/** Two requests that each hold one connection and wait for a second would block the whole pool. */
const service = useService({ settings: { DATABASE_POOL_SIZE: '2' } });
const IN_FLIGHT = 20;
const all = (send: (at: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: IN_FLIGHT }, (_, at) => send(at)));
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

let owner: Caller;
let editor: Caller;
beforeAll(async () => {
  owner = service.owner;
  editor = await asEditor(service);
});

describe('with ten times as many requests in flight as there are connections, each kind of write is done:', () => {
  const project = () => ({ key: someKey(), name: someName('project') });
  const user = () => ({ email: `${someName('u').replace(' ', '')}@example.com`, name: 'x', role: 'Viewer' });

  it.each<[string, number, (at: number) => Promise<Answer>]>([
    ['projects', 201, () => editor.post('/api/projects', project())],
    [
      'projects, each safe to send again',
      201,
      () => editor.post('/api/projects', project(), { headers: { 'Idempotency-Key': randomUUID() } }),
    ],
    [
      'members-only projects',
      201,
      () => editor.post('/api/projects', { ...project(), visibility: 'members' }),
    ],
    ['users', 201, () => owner.post('/api/users', user())],
    ['keys', 201, () => editor.post('/api/auth/keys', { name: 'x' })],
    ['agents', 201, () => owner.post('/api/agents', { name: someName('agent') })],
    ['the halt', 200, (at) => owner.put('/api/agents/halt', { halted: at % 2 === 0 })],
  ])('%s', async (_, status, send) => {
    expect(statuses(await all(send))).toEqual([status]);
  });

  it('changes of one project', async () => {
    const { id } = await aProject(editor);
    expect(statuses(await all((at) => editor.put(`/api/projects/${id}`, { name: `${at}` })))).toEqual([200]);
  });

  it('members of one project', async () => {
    const { id } = await aProject(editor);
    const entries = (at: number) => [{ userId: editor.id, role: at % 2 ? 'Viewer' : null }];
    expect(
      statuses(await all((at) => owner.put(`/api/projects/${id}/members`, { entries: entries(at) }))),
    ).toEqual([200]);
  });

  it('changes of one user', async () => {
    expect(
      statuses(await all((at) => owner.put(`/api/users/${editor.id}`, { name: `Editor ${at}` }))),
    ).toEqual([200]);
  });

  it('and the health check answers', async () => {
    const [ready] = await Promise.all([
      owner.get('/readyz'),
      all(() => editor.post('/api/projects', project())),
    ]);
    expect(ready.status).toBe(200);
  });
});
