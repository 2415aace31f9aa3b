import { describe, expect, it } from '@jest/globals';
import type { SessionResponse } from '../../../src/platform/authentication/user-session-and-password.dto.js';
import {
  anonymous,
  aPerson,
  asAdmin,
  asOwner,
  asSession,
  asUser,
  PASSWORD,
  signedIn,
} from '../../support/callers.js';
import { notFound, refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';

type Session = Wire<SessionResponse>;

const service = useService();
const unauthenticated = refused(401, 'unauthenticated');
const OWN = '/api/auth/sessions';

describe('the sessions of a person', () => {
  it('are listed with where they were begun, and the one in use is marked', async () => {
    const person = await aPerson(service, 'Viewer');
    const first = await signedIn(service, person);
    await anonymous(service).post(
      '/api/auth/login',
      { email: person.email, password: PASSWORD },
      { headers: { 'user-agent': `Browser ${'x'.repeat(300)}` } },
    );
    const { body } = await first.get<Session[]>(OWN);
    expect(body).toMatchObject([
      { isCurrent: true, address: '127.0.0.1' },
      { isCurrent: false, userAgent: `Browser ${'x'.repeat(192)}` },
    ]);
    expect(Date.parse(body[0]!.expiresAt) - Date.parse(body[0]!.lastUsedAt)).toBe(12 * 3_600_000);
    expect(JSON.stringify(body)).not.toContain(first.headers['cookie']!.split('=')[1]);
  });

  it('can be ended by the person, at once and one by one, which the journal records', async () => {
    const person = await aPerson(service, 'Viewer');
    const [kept, ended] = [await signedIn(service, person), await signedIn(service, person)];
    const other = (await kept.get<Session[]>(OWN)).body.find(({ isCurrent }) => !isCurrent)!;
    expect((await kept.delete(`${OWN}/${other.id}`)).status).toBe(204);
    expect(await ended.get('/api/auth/me')).toMatchObject(unauthenticated);
    expect((await kept.get('/api/auth/me')).status).toBe(200);
    expect(await kept.delete(`${OWN}/${other.id}`)).toMatchObject(notFound);
    const { body } = await service.owner.get(`/api/audit?type=login.ended&subjectId=${person.id}`);
    expect(body).toMatchObject([{ actor: { id: person.id }, data: { sessionId: other.id } }]);
  });

  it('of another person are not found, and those that ran out are not listed', async () => {
    const [mine, theirs] = [await asSession(service, 'Viewer'), await asSession(service, 'Viewer')];
    const [session] = (await theirs.get<Session[]>(OWN)).body;
    expect(await mine.delete(`${OWN}/${session!.id}`)).toMatchObject(notFound);
    expect(await mine.delete(`${OWN}/not-an-id`)).toMatchObject(notFound);
    await service.sql(`UPDATE sessions SET last_used_at = now() - interval '12 hours' WHERE user_id = $1`, [
      theirs.id,
    ]);
    const admin = await asAdmin(service);
    expect((await admin.get(`/api/users/${theirs.id}/sessions`)).body).toEqual([]);
    expect(await admin.delete(`/api/users/${theirs.id}/sessions/${session!.id}`)).toMatchObject(notFound);
  });

  it('can be listed and ended by an Admin, but not those of an Owner', async () => {
    const admin = await asAdmin(service);
    const editor = await asSession(service, 'Editor');
    const of = `/api/users/${editor.id}/sessions`;
    const [session] = (await admin.get<Session[]>(of)).body;
    expect((await admin.delete(`${of}/${session!.id}`)).status).toBe(204);
    expect(await editor.get('/api/auth/me')).toMatchObject(unauthenticated);
    const owner = await asSession(service, 'Owner');
    const [above] = (await admin.get<Session[]>(`/api/users/${owner.id}/sessions`)).body;
    expect(await admin.delete(`/api/users/${owner.id}/sessions/${above!.id}`)).toMatchObject(
      refused(403, 'forbidden'),
    );
    expect((await owner.get('/api/auth/me')).status).toBe(200);
  });
});

describe('the own profile', () => {
  it('takes a new name without, and a new e-mail address with the password', async () => {
    const person = await aPerson(service, 'Viewer');
    const caller = await signedIn(service, person);
    const email = `new.${person.email}`;
    expect(await caller.put('/api/auth/me', { name: '  Grace ' })).toMatchObject({
      status: 200,
      body: { type: 'user', id: person.id, name: 'Grace', email: person.email },
    });
    for (const currentPassword of [undefined, 'not the password at all'])
      expect(await caller.put('/api/auth/me', { email, currentPassword })).toMatchObject({
        ...refused(400, 'validation_failed'),
        body: { errors: [{ path: 'currentPassword' }] },
      });
    expect((await caller.get('/api/auth/me')).body).toMatchObject({ name: 'Grace', email: person.email });
    expect((await caller.put('/api/auth/me', { email, currentPassword: PASSWORD })).status).toBe(200);
    await signedIn(service, { email });
    const { body } = await service.owner.get(`/api/audit?type=user.updated&subjectId=${person.id}`);
    expect(body).toMatchObject([
      { actor: { id: person.id }, data: { email: { old: person.email, new: email } } },
      { data: { name: { old: person.name, new: 'Grace' } } },
    ]);
  });

  it('of a person without a password takes a new e-mail address by key, and never one that is used', async () => {
    const [one, other] = [await asOwner(service), await asOwner(service)];
    const { email } = (await other.get<{ email: string }>('/api/auth/me')).body;
    expect(await one.put('/api/auth/me', { email: email.toUpperCase() })).toMatchObject(
      refused(409, 'name_taken'),
    );
    expect((await one.put('/api/auth/me', { email: `x${email}` })).status).toBe(200);
  });

  it('has no field for the role, and is closed to a key with a narrower role', async () => {
    const owner = await asOwner(service);
    expect(await owner.put('/api/auth/me', { role: 'Viewer' })).toMatchObject(
      refused(400, 'validation_failed'),
    );
    const narrow = await asUser(service, 'Editor', { role: 'Viewer' });
    expect(await narrow.put('/api/auth/me', { name: 'x' })).toMatchObject(refused(403, 'forbidden'));
  });
});
