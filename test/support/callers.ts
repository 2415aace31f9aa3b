import { createdBy, someName } from './builders.js';
import { Caller } from './caller.js';
import { canary } from './canary.js';
import type { Service } from './service.js';

/** The roles in ascending order (contract §2). */
export type Role = 'Viewer' | 'Editor' | 'Admin' | 'Owner';

export const asViewer = (service: Service) => asUser(service, 'Viewer');
export const asEditor = (service: Service) => asUser(service, 'Editor');
export const asAdmin = (service: Service) => asUser(service, 'Admin');
export const asOwner = (service: Service) => asUser(service, 'Owner');

/** Returns a caller without credentials. */
export const anonymous = (service: Service) => new Caller(service, {});

/** Returns a caller with this credential, valid or not. */
export const withKey = (service: Service, key: string) => new Caller(service, { key });

/** Creates a user of this role with a key, which `key` may restrict (`{role: 'Viewer'}`) or let expire (`{expiresAt}`). */
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

/** Creates a user of this role with `PASSWORD`, who may sign in. */
export async function aPerson(
  service: Service,
  role: Role,
): Promise<{ id: string; email: string; name: string }> {
  const name = someName(role);
  const email = `${name.replaceAll(' ', '.').toLowerCase()}@example.com`;
  return createdBy(service.owner, '/api/users', { email, name, role, password: PASSWORD });
}

/** Returns a dashboard page with a new session of this person: its requests carry the cookie and no key. */
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

/** Creates a user of this role with a session. */
export async function asSession(service: Service, role: Role): Promise<Caller> {
  return signedIn(service, await aPerson(service, role));
}

/** Creates an agent with its first key. */
export async function asAgent(service: Service, fields: Record<string, unknown> = {}): Promise<Caller> {
  const agent = await createdBy<{ id: string; name: string; key: string }>(service.owner, '/api/agents', {
    name: someName('agent'),
    ...fields,
  });
  return new Caller(service, { key: agent.key, id: agent.id, name: agent.name });
}
