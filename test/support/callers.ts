import { createdBy, someName } from './builders.js';
import { Caller } from './caller.js';
import { canary } from './canary.js';
import type { Service } from './service.js';

/** The ladder of roles (spec §2). */
export type Role = 'Viewer' | 'Editor' | 'Admin' | 'Owner';

export const asViewer = (service: Service) => asUser(service, 'Viewer');
export const asEditor = (service: Service) => asUser(service, 'Editor');
export const asAdmin = (service: Service) => asUser(service, 'Admin');
export const asOwner = (service: Service) => asUser(service, 'Owner');

/** Somebody who proves nothing. */
export const anonymous = (service: Service) => new Caller(service, {});

/** Somebody with this credential, whatever it is. */
export const withKey = (service: Service, key: string) => new Caller(service, { key });

/** A new user of this role with a key, which `key` may narrow (`{role: 'Viewer'}`) or end (`{expiresAt}`). */
export async function asUser(
  service: Service,
  role: Role,
  key: Record<string, unknown> = {},
): Promise<Caller> {
  const name = someName(role);
  const email = `${name.replaceAll(' ', '.').toLowerCase()}@example.com`;
  const user = await createdBy<{ id: string }>(service.owner, '/api/users', { email, name, role });
  const made = await createdBy<{ key: string }>(service.owner, `/api/users/${user.id}/keys`, {
    name: 'test',
    ...key,
  });
  return new Caller(service, { key: made.key, id: user.id, name });
}

export const PASSWORD = canary('correct horse battery staple');

/** A new user of this role with `PASSWORD`: somebody who may sign in. */
export async function aPerson(
  service: Service,
  role: Role,
): Promise<{ id: string; email: string; name: string }> {
  const name = someName(role);
  const email = `${name.replaceAll(' ', '.').toLowerCase()}@example.com`;
  return createdBy(service.owner, '/api/users', { email, name, role, password: PASSWORD });
}

/** A page of the dashboard with a new session of this person: its requests carry the cookie, and no key. */
export async function signedIn(
  service: Service,
  person: { id?: string; name?: string; email: string },
  password = PASSWORD,
): Promise<Caller> {
  const answer = await anonymous(service).post('/api/auth/login', { email: person.email, password });
  if (answer.status !== 200) throw new Error(`Signing in gave ${answer.status}: ${answer.text}`);
  const cookie = answer.headers['set-cookie']!.split(';', 1)[0]!;
  const { id, name } = person;
  return new Caller(service, { id, name, headers: { cookie, 'sec-fetch-site': 'same-origin' } });
}

/** Somebody of this role with a session. */
export async function asSession(service: Service, role: Role): Promise<Caller> {
  return signedIn(service, await aPerson(service, role));
}

/** A new agent with its first key. */
export async function asAgent(service: Service, fields: Record<string, unknown> = {}): Promise<Caller> {
  const agent = await createdBy<{ id: string; name: string; key: string }>(service.owner, '/api/agents', {
    name: someName('agent'),
    ...fields,
  });
  return new Caller(service, { key: agent.key, id: agent.id, name: agent.name });
}
