import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { NewApiKeyResponse } from '../../../src/platform/users/user-and-api-key.dto.js';
import { createdBy } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAdmin, asEditor, asOwner, asUser, asViewer, withKey } from '../../support/callers.js';
import { notFound, refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';

type NewKey = Wire<NewApiKeyResponse>;

const service = useService();
const aKey = (caller: Caller, fields: object = {}, path = '/api/auth/keys') =>
  createdBy<NewKey>(caller, path, { name: 'laptop', ...fields });
const DAY = 86_400_000;

describe("one's own key", () => {
  it('is shown once, and later reads return it without the secret', async () => {
    const editor = await asEditor(service);
    const { key, ...rest } = await aKey(editor);
    expect(rest).toMatchObject({ name: 'laptop', role: null, lastUsedAt: null });
    const listed = await editor.get<NewKey[]>('/api/auth/keys');
    expect(listed.body).toContainEqual(rest);
    expect(listed.text).not.toContain(key.slice(12));
  });

  it('is created with its Location', async () => {
    const editor = await asEditor(service);
    const answer = await editor.post('/api/auth/keys', { name: 'x' });
    expect(answer.headers['location']).toBe(`/api/auth/keys/${answer.body.id}`);
  });

  it('is stored only as a SHA-256', async () => {
    const editor = await asEditor(service);
    const { id, key } = await aKey(editor);
    const hash = createHash('sha256').update(key).digest();
    expect(await service.sql('SELECT hash FROM api_keys WHERE id = $1', [id])).toEqual([{ hash }]);
    const journal = await service.sql('SELECT data::text FROM journal');
    expect(JSON.stringify(journal)).not.toContain(key.slice(12));
    expect(service.log).not.toContain(key.slice(12));
  });

  it('expires after 90 days by default, and never with null', async () => {
    const editor = await asEditor(service);
    const { createdAt, expiresAt } = await aKey(editor);
    expect(Math.round((Date.parse(expiresAt!) - Date.parse(createdAt)) / DAY)).toBe(90);
    const signed = await asUser(service, 'Editor', { expiresAt: null });
    expect((await aKey(signed, { expiresAt: null })).expiresAt).toBeNull();
    const asked = '2099-01-31T01:00:00+01:00';
    expect((await aKey(signed, { expiresAt: asked })).expiresAt).toBe('2099-01-31T00:00:00.000Z');
  });

  it.each(['2020-01-01T00:00:00Z', '2099-01-31', 'tomorrow', 1, '2099-13-01T00:00:00Z'])(
    'is rejected with the expiry %j',
    async (expiresAt) => {
      const editor = await asEditor(service);
      expect(await editor.post('/api/auth/keys', { name: 'x', expiresAt })).toMatchObject(
        refused(400, 'validation_failed', 'expiresAt'),
      );
    },
  );

  it('stops working when it expires, and the error says so', async () => {
    const editor = await asEditor(service);
    const { id, key } = await aKey(editor);
    await service.sql(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [id]);
    const answer = await withKey(service, key).get('/api/auth/me');
    expect(answer).toMatchObject(refused(401, 'unauthenticated'));
    expect(answer.body.detail).toMatch(/expired/);
  });

  it('stops working at once when it is deleted', async () => {
    const editor = await asEditor(service);
    const { id, key } = await aKey(editor);
    expect((await withKey(service, key).get('/api/auth/me')).status).toBe(200);
    expect((await editor.delete(`/api/auth/keys/${id}`)).status).toBe(204);
    expect(await withKey(service, key).get('/api/auth/me')).toMatchObject(refused(401, 'unauthenticated'));
    expect(await editor.delete(`/api/auth/keys/${id}`)).toMatchObject(notFound);
  });

  it('shows when it was last used', async () => {
    const editor = await asEditor(service);
    const { id, key } = await aKey(editor);
    await withKey(service, key).get('/api/auth/me');
    const keys = (await editor.get<NewKey[]>('/api/auth/keys')).body;
    expect(keys.find((one) => one.id === id)?.lastUsedAt).toEqual(expect.any(String));
  });

  it('is hidden from every other user', async () => {
    const [editor, other] = [await asEditor(service), await asEditor(service)];
    const { id } = await aKey(editor);
    expect(await other.delete(`/api/auth/keys/${id}`)).toMatchObject(notFound);
    expect((await other.get<NewKey[]>('/api/auth/keys')).body.map((key) => key.id)).not.toContain(id);
  });
});

describe('a key that was made with another key', () => {
  it.each([null, '2099-01-31T00:00:00Z', undefined])(
    'ends no later than that key when it asks for the expiry %j',
    async (expiresAt) => {
      const ends = new Date(Date.now() + DAY).toISOString();
      const parent = await asUser(service, 'Editor', { expiresAt: ends });
      const child = await aKey(parent, { expiresAt });
      expect(child.expiresAt).toBe(ends);
      const grandchild = await aKey(withKey(service, child.key), { expiresAt });
      expect(grandchild).toMatchObject({ expiresAt: ends, parentKeyId: child.id });
    },
  );

  it('stops working when that key is deleted, by whichever user, and the audit names both', async () => {
    const owner = await asEditor(service);
    const [root, other] = [await aKey(owner), await aKey(owner)];
    const child = await aKey(withKey(service, root.key));
    const grandchild = await aKey(withKey(service, child.key));
    expect((await service.owner.delete(`/api/users/${owner.id}/keys/${root.id}`)).status).toBe(204);
    for (const { key } of [root, child, grandchild])
      expect((await withKey(service, key).get('/api/auth/me')).status).toBe(401);
    expect((await withKey(service, other.key).get('/api/auth/me')).status).toBe(200);
    const recorded = await service.sql(
      `SELECT subject_id FROM journal WHERE type = 'key.deleted' AND (subject_id = $1 OR data ->> 'with' = $1)`,
      [root.id],
    );
    expect(recorded.map(({ subject_id: id }) => id).toSorted()).toEqual(
      [root.id, child.id, grandchild.id].toSorted(),
    );
  });
});

describe('a key with a role of its own', () => {
  it('can do what its role allows, and no more', async () => {
    const admin = await asAdmin(service);
    const narrow = withKey(service, (await aKey(admin, { role: 'Viewer' })).key);
    expect((await narrow.get('/api/auth/me')).body.role).toBe('Viewer');
    expect((await narrow.get('/api/projects')).status).toBe(200);
    expect(await narrow.get('/api/users')).toMatchObject(refused(403, 'forbidden'));
    expect(await narrow.post('/api/projects', { key: 'NARROW', name: 'x' })).toMatchObject(
      refused(403, 'forbidden'),
    );
  });

  it('cannot create a key of a higher role', async () => {
    const narrow = await asUser(service, 'Admin', { role: 'Editor' });
    expect((await aKey(narrow)).role).toBe('Editor');
    expect(await narrow.post('/api/auth/keys', { name: 'x', role: 'Admin' })).toMatchObject(
      refused(403, 'forbidden'),
    );
  });

  it('deletes itself and the keys that were made with it, and no other key of its owner', async () => {
    const admin = await asAdmin(service);
    const [full, narrow] = [await aKey(admin), await aKey(admin, { role: 'Viewer' })];
    const viewer = withKey(service, narrow.key);
    const child = await aKey(viewer);
    expect(await viewer.delete(`/api/auth/keys/${full.id}`)).toMatchObject(refused(403, 'forbidden'));
    expect((await withKey(service, full.key).get('/api/auth/me')).status).toBe(200);
    expect((await viewer.delete(`/api/auth/keys/${child.id}`)).status).toBe(204);
    expect((await viewer.delete(`/api/auth/keys/${narrow.id}`)).status).toBe(204);
  });

  it('loses permissions with its owner', async () => {
    const editor = await asEditor(service);
    const key = withKey(service, (await aKey(editor, { role: 'Editor' })).key);
    await service.owner.put(`/api/users/${editor.id}`, { role: 'Viewer' });
    expect((await key.get('/api/auth/me')).body.role).toBe('Viewer');
  });

  it('cannot have a higher role than its owner', async () => {
    const editor = await asEditor(service);
    expect(await editor.post('/api/auth/keys', { name: 'x', role: 'Admin' })).toMatchObject(
      refused(403, 'forbidden'),
    );
    expect(await editor.post('/api/auth/keys', { name: 'x', role: 'King' })).toMatchObject(
      refused(400, 'validation_failed', 'role'),
    );
    expect(await editor.post('/api/auth/keys', { name: 'x', role: null })).toMatchObject(
      refused(400, 'validation_failed', 'role'),
    );
  });
});

describe('the keys of another user', () => {
  it('are listed, created and deleted by an Admin', async () => {
    const [admin, editor] = [await asAdmin(service), await asEditor(service)];
    const path = `/api/users/${editor.id}/keys`;
    const made = await aKey(admin, {}, path);
    expect((await withKey(service, made.key).get('/api/auth/me')).body.id).toBe(editor.id);
    expect((await admin.get<NewKey[]>(path)).body.map(({ id }) => id)).toContain(made.id);
    expect((await admin.delete(`${path}/${made.id}`)).status).toBe(204);
    expect((await withKey(service, made.key).get('/api/auth/me')).status).toBe(401);
  });

  it('stay at the role of the Admin who made them when the user is promoted', async () => {
    const [admin, viewer] = [await asAdmin(service), await asViewer(service)];
    const made = withKey(service, (await aKey(admin, {}, `/api/users/${viewer.id}/keys`)).key);
    await service.owner.put(`/api/users/${viewer.id}`, { role: 'Owner' });
    expect((await made.get('/api/auth/me')).body.role).toBe('Admin');
    const user = { email: 'x@example.com', name: 'x', role: 'Owner' };
    expect(await made.post('/api/users', user)).toMatchObject(refused(403, 'forbidden'));
    expect((await viewer.get('/api/auth/me')).body.role).toBe('Owner');
  });

  it('are forbidden to every role below Admin', async () => {
    const [viewer, editor] = [await asViewer(service), await asEditor(service)];
    for (const path of [`/api/users/${viewer.id}/keys`, '/api/users/unknown/keys']) {
      expect(await editor.get(path)).toMatchObject(refused(403, 'forbidden'));
      expect(await editor.post(path, { name: 'x' })).toMatchObject(refused(403, 'forbidden'));
      expect(await editor.delete(`${path}/x`)).toMatchObject(refused(403, 'forbidden'));
    }
  });

  it('are forbidden to an Admin when the user is an Owner', async () => {
    const [admin, owner] = [await asAdmin(service), await asOwner(service)];
    const path = `/api/users/${owner.id}/keys`;
    expect(await admin.post(path, { name: 'x' })).toMatchObject(refused(403, 'forbidden'));
    expect(await admin.post(path, { name: 'x', role: 'Viewer' })).toMatchObject(refused(403, 'forbidden'));
    const [{ id }] = (await service.owner.get<[NewKey]>(path)).body;
    expect(await admin.delete(`${path}/${id}`)).toMatchObject(refused(403, 'forbidden'));
  });

  it('are not found under another user, an unknown user or a malformed id', async () => {
    const [admin, editor] = [await asAdmin(service), await asEditor(service)];
    const { id } = await aKey(editor);
    for (const user of [admin.id, 'x', '01a1fc2c-4690-71ec-b875-d2220cb6115f'])
      expect(await admin.delete(`/api/users/${user}/keys/${id}`)).toMatchObject(notFound);
    expect(await admin.delete(`/api/users/${editor.id}/keys/x`)).toMatchObject(notFound);
    expect(await admin.get('/api/users/x/keys')).toMatchObject(notFound);
  });

  it('stop working at once when the user is disabled', async () => {
    const editor = await asEditor(service);
    await service.owner.put(`/api/users/${editor.id}`, { disabled: true });
    expect(await editor.get('/api/auth/me')).toMatchObject(refused(401, 'unauthenticated'));
    await service.owner.put(`/api/users/${editor.id}`, { disabled: false });
    expect((await editor.get('/api/auth/me')).status).toBe(200);
  });
});
