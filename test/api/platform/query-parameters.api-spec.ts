import { beforeAll, describe, expect, it } from '@jest/globals';
import { someKey } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';

const service = useService();
let editor: Caller;
beforeAll(async () => {
  editor = await asEditor(service);
});

describe('the parameters of a query', () => {
  it.each([
    ['unknown', 'nothing=1', 'nothing'],
    ['in another case', 'Limit=1', 'Limit'],
    ['doubled', 'limit=1&limit=2', 'limit'],
    ['nested', 'limit[a]=1', 'limit[a]'],
    ['a list', 'limit[]=1', 'limit[]'],
    ['a token', 'access_token=x', 'access_token'],
  ])('are rejected when one is %s', async (_, query, name) => {
    const answer = await editor.get(`/api/projects?${query}`);
    expect(answer).toMatchObject(refused(400, 'validation_failed'));
    expect(JSON.stringify(answer.body['errors'])).toContain(name.split('[')[0]);
  });

  it('are rejected when the route has none', async () => {
    expect(await editor.get('/api/auth/me?limit=1')).toMatchObject(
      refused(400, 'validation_failed', 'limit'),
    );
  });

  it('cannot reach the prototype', async () => {
    for (const query of ['__proto__=1', 'constructor=1', '__proto__[limit]=1', 'toString=1'])
      expect(await editor.get(`/api/projects?${query}`)).toMatchObject(refused(400, 'validation_failed'));
  });

  it.each(['0', '1001', '-1', '1.5', '1e2', 'x', ''])('rejects the limit %s', async (limit) => {
    expect(await editor.get(`/api/projects?limit=${limit}`)).toMatchObject(
      refused(400, 'validation_failed', 'limit'),
    );
  });

  it.each(['1', 'TRUE', 'yes', ''])('rejects %j for confirm', async (confirm) => {
    const answer = await service.owner.delete(`/api/projects/${someKey()}?confirm=${confirm}`);
    expect(answer).toMatchObject(refused(400, 'validation_failed', 'confirm'));
  });
});
