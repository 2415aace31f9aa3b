import { beforeAll, describe, expect, it } from '@jest/globals';
import type { UserResponse } from '../../../src/platform/authentication/user-session-and-password.dto.js';
import { createdBy, someName } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import {
  anonymous,
  asAdmin,
  asAgent,
  asEditor,
  asOwner,
  asUser,
  asViewer,
  type Role,
} from '../../support/callers.js';
import { notFound, refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';

type User = Wire<UserResponse>;

const service = useService();
let admin: Caller;
beforeAll(async () => {
  admin = await asAdmin(service);
});

const fields = (role: Role = 'Viewer') => ({
  email: `${someName('u').replace(' ', '')}@example.com`,
  name: 'Grace Hopper',
  role,
});
const aUser = (role: Role = 'Viewer') => createdBy<User>(service.owner, '/api/users', fields(role));

describe('a user', () => {
  it('is created with the given fields, and read back the same', async () => {
    const given = fields('Editor');
    const answer = await admin.post<User>('/api/users', given);
    expect(answer).toMatchObject({ status: 201, headers: { location: `/api/users/${answer.body.id}` } });
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      ...given,
      disabledAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: answer.body.createdAt,
    });
    expect((await admin.get(`/api/users/${answer.body.id}`)).body).toEqual(answer.body);
    expect((await admin.get<User[]>('/api/users')).body).toContainEqual(answer.body);
  });

  it('keeps the fields that a change leaves out', async () => {
    const user = await aUser();
    const changed = (await admin.put<User>(`/api/users/${user.id}`, { name: 'Ada' })).body;
    expect(changed).toEqual({ ...user, name: 'Ada', updatedAt: expect.any(String) });
    expect(changed.updatedAt >= user.updatedAt).toBe(true);
  });

  it('is disabled by DELETE, and stays in the records', async () => {
    const viewer = await asViewer(service);
    expect((await admin.delete(`/api/users/${viewer.id}`)).status).toBe(204);
    expect((await viewer.get('/api/auth/me')).status).toBe(401);
    const { disabledAt } = (await admin.get<User>(`/api/users/${viewer.id}`)).body;
    expect(disabledAt).toEqual(expect.any(String));
    expect((await admin.delete(`/api/users/${viewer.id}`)).status).toBe(204);
    expect((await admin.get<User>(`/api/users/${viewer.id}`)).body.disabledAt).toBe(disabledAt);
  });

  it('has an e-mail address that is unique whatever its case', async () => {
    const { email } = await aUser();
    const again = { ...fields(), email: email.toUpperCase() };
    expect(await admin.post('/api/users', again)).toMatchObject(refused(409, 'name_taken'));
    const other = await aUser();
    expect(await admin.put(`/api/users/${other.id}`, { email })).toMatchObject(refused(409, 'name_taken'));
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['name', { name: '' }],
    ['role', { role: 'King' }],
    ['password', { password: 'too short' }],
  ])('is rejected with an invalid %s, on its path', async (path, bad) => {
    expect(await admin.post('/api/users', { ...fields(), ...bad })).toMatchObject(
      refused(400, 'validation_failed', path),
    );
    const user = await aUser();
    expect(await admin.put(`/api/users/${user.id}`, bad)).toMatchObject(
      refused(400, 'validation_failed', path),
    );
    expect(await admin.put(`/api/users/${user.id}`, { [path]: null })).toMatchObject(
      refused(400, 'validation_failed', path),
    );
  });

  it('has a password that is stored as an argon2id hash and never returned', async () => {
    const password = 'correct horse battery';
    const answer = await admin.post<User>('/api/users', { ...fields(), password });
    expect(answer.text).not.toMatch(/password|argon/);
    const [row] = await service.sql('SELECT password_hash FROM users WHERE id = $1', [answer.body.id]);
    expect(row).toEqual({ password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) });
    expect(service.log).not.toContain(password);
  });

  it('is not found under an unknown or malformed id', async () => {
    for (const id of ['01a1fc2c-4690-71ec-b875-d2220cb6115f', 'me', 'x']) {
      expect(await admin.get(`/api/users/${id}`)).toMatchObject(notFound);
      expect(await admin.put(`/api/users/${id}`, { name: 'x' })).toMatchObject(notFound);
      expect(await admin.delete(`/api/users/${id}`)).toMatchObject(notFound);
    }
  });
});

describe('users', () => {
  it('are managed by Admins, and lower roles are refused with the role that is needed', async () => {
    const user = await aUser();
    for (const caller of [await asViewer(service), await asEditor(service), await asAgent(service)])
      for (const [method, path] of [
        ['GET', '/api/users'],
        ['POST', '/api/users'],
        ['GET', `/api/users/${user.id}`],
        ['PUT', '/api/users/unknown'],
        ['DELETE', `/api/users/${user.id}`],
      ] as const)
        expect(await caller.request(method, path)).toMatchObject(refused(403, 'forbidden'));
    expect((await (await asEditor(service)).get('/api/users')).body.detail).toContain('Admin');
    expect(await anonymous(service).get('/api/users')).toMatchObject(refused(401, 'unauthenticated'));
  });
});

describe('the order of the roles', () => {
  it('prevents a user from granting a role above the own one', async () => {
    expect(await admin.post('/api/users', fields('Owner'))).toMatchObject(refused(403, 'forbidden'));
    const user = await aUser();
    expect(await admin.put(`/api/users/${user.id}`, { role: 'Owner' })).toMatchObject(
      refused(403, 'forbidden'),
    );
    expect((await admin.put(`/api/users/${user.id}`, { role: 'Admin' })).status).toBe(200);
  });

  it('prevents a user from changing a user of a higher role', async () => {
    const owner = await asOwner(service);
    for (const change of [
      { name: 'x' },
      { role: 'Viewer' },
      { disabled: true },
      { password: 'a new password' },
    ])
      expect(await admin.put(`/api/users/${owner.id}`, change)).toMatchObject(refused(403, 'forbidden'));
    expect(await admin.delete(`/api/users/${owner.id}`)).toMatchObject(refused(403, 'forbidden'));
    expect((await owner.get('/api/auth/me')).body.role).toBe('Owner');
  });

  it('applies to the role of the key in use', async () => {
    const narrow = await asUser(service, 'Owner', { role: 'Admin' });
    expect(await narrow.post('/api/users', fields('Owner'))).toMatchObject(refused(403, 'forbidden'));
  });

  it('takes a demotion into account at once', async () => {
    const demoted = await asAdmin(service);
    await service.owner.put(`/api/users/${demoted.id}`, { role: 'Viewer' });
    expect(await demoted.get('/api/users')).toMatchObject(refused(403, 'forbidden'));
  });
});
