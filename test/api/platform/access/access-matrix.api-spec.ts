import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createdBy } from '../../../support/builders.js';
import { Caller } from '../../../support/caller.js';
import { anonymous, aPerson, asAgent, signedIn, withKey, type Role } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import {
  accessTable,
  rankOf,
  verdictOn,
  type AccessRow,
  type Kind,
  type Verdict,
  type Who,
} from './access-table.js';
import { aDeadServer, aMembersProject, aPlace, makers, requestOf, type Place } from './access-world.js';

/** No OpenID provider is there: its routes lead to the sign-in page. */
const OIDC = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'awp', OIDC_CLIENT_SECRET: 'x' };
/** Without this setting the routes of the published catalogue are not there for anybody. */
const service = useService({ settings: { PUBLISH_REGISTRY: 'true', ...OIDC } });
const PUBLISHED = { serverName: encodeURIComponent('io.github.MicrosoftDocs/mcp'), version: 'latest' };
interface Principal extends Who {
  name: string;
  caller: Caller;
  email?: string;
}
const principals: Principal[] = [];
const places = {} as Record<'own' | 'foreign', Place>;
const membersOf: Record<'own' | 'foreign', object[]> = { own: [], foreign: [] };
let server: string;

/** A user with a key and, as another row of the table, the same user with a session. */
async function join(name: string, role: Role, member: Who['member']): Promise<void> {
  const person = await aPerson(service, role);
  const { key } = await createdBy<{ key: string }>(service.owner, `/api/users/${person.id}/keys`, { name });
  const who = { type: 'user', role, member, email: person.email } as const;
  const byKey = new Caller(service, { key, id: person.id });
  principals.push({ ...who, name, proof: 'key', caller: byKey });
  principals.push({
    ...who,
    name: `${name}'s cookie`,
    proof: 'cookie',
    caller: await signedIn(service, person),
  });
  if (member) membersOf[member].push({ userId: person.id, role });
}

async function joinAgent(name: string, member: 'own' | 'foreign'): Promise<Caller> {
  const caller = await asAgent(service);
  principals.push({ name, proof: 'key', type: 'agent', role: 'Viewer', member, caller });
  membersOf[member].push({ agentId: caller.id, role: 'Viewer' });
  return caller;
}

/** Credentials that are no longer valid, or never were. */
async function joinStrangers(): Promise<void> {
  const person = await aPerson(service, 'Owner');
  const keys = `/api/users/${person.id}/keys`;
  const revoked = await createdBy<{ id: string; key: string }>(service.owner, keys, { name: 'x' });
  const expired = await createdBy<{ id: string; key: string }>(service.owner, keys, { name: 'x' });
  await service.owner.delete(`${keys}/${revoked.id}`);
  await service.sql(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    expired.id,
  ]);
  const ended = await signedIn(service, person);
  await ended.post('/api/auth/logout');
  const bad = { proof: 'bad', type: 'user', role: 'Owner', member: null } as const;
  principals.push({ ...bad, proof: 'nothing', name: 'nobody', caller: anonymous(service) });
  principals.push({ ...bad, name: 'a made-up key', caller: withKey(service, `awp_u_${'a'.repeat(49)}`) });
  principals.push({ ...bad, name: 'a revoked key', caller: withKey(service, revoked.key) });
  principals.push({ ...bad, name: 'an expired key', caller: withKey(service, expired.key) });
  principals.push({ ...bad, name: 'an ended session', caller: ended });
}

beforeAll(async () => {
  await joinStrangers();
  await join('Viewer', 'Viewer', 'own');
  await join('Editor', 'Editor', 'own');
  await join('Admin', 'Admin', null);
  await join('Owner', 'Owner', null);
  await join('Viewer of another project', 'Viewer', 'foreign');
  await join('Editor of another project', 'Editor', 'foreign');
  const agents = { own: await joinAgent('agent', 'own'), foreign: await joinAgent('other agent', 'foreign') };
  for (const kind of ['own', 'foreign'] as const)
    places[kind] = await aPlace(service.owner, agents[kind], membersOf[kind]);
  await createdBy(service.owner, '/api/mcp/installed', { catalogId: 'microsoft-learn' });
  server = await aDeadServer(service);
});

const isFull = process.env['TEST_SIZE'] === 'full';

/**
 * The named object makes no difference to a rule without a project, except for agents and the caller's own keys. With an
 * object of the other project insiders and outsiders change places, which the long form tries too.
 */
function kindsOf({ path, users }: AccessRow): Kind[] {
  if (!path.includes('{')) return ['own'];
  const hasMirror = users.includes('there') || path.includes('{agentId}');
  return users === 'own' || (hasMirror && isFull) ? ['own', 'foreign', 'unknown'] : ['own', 'unknown'];
}

/** Returns the one whose turn has come at the row at this place. */
const oneOf = (those: Principal[], at: number) => (those.length === 0 ? [] : [those[at % those.length]!]);

/** Returns those of the least role and those of the highest. */
function edgesOf(those: Principal[]): { lowest: Principal[]; highest: Principal[] } {
  const ranks = those.map(({ role }) => rankOf(role));
  const ofRank = (rank: number) => those.filter(({ role }) => rankOf(role) === rank);
  return { lowest: ofRank(Math.min(...ranks)), highest: ofRank(Math.max(...ranks)) };
}

/**
 * Returns the callers to try with an object. Roles are a ladder, so a rule that is too wide or too narrow shows at the
 * steps on either side of each line that the table draws across it. The other roles take turns at the rows, and so do
 * the cookies, whose owners are tried by their keys too, and the invalid credentials, which are refused before the object
 * is looked up. The long form tries all.
 */
function askedAt(row: AccessRow, kind: Kind, at: number): Principal[] {
  const withProof = (...proofs: Who['proof'][]) => principals.filter(({ proof }) => proofs.includes(proof));
  if (isFull) return kind === 'own' ? principals : withProof('nothing', 'key', 'cookie');
  const [usual, rare] = row.cookie === 'only' ? (['cookie', 'key'] as const) : (['key', 'cookie'] as const);
  const ladder = withProof(usual).filter(({ type }) => type === 'user');
  const of = (verdict: Verdict) => edgesOf(ladder.filter((who) => verdictOn(row, who, kind) === verdict));
  const agents = principals.filter(({ type }) => type === 'agent');
  const verdicts = new Set(agents.map((who) => verdictOn(row, who, kind)));
  const asked = [
    ...[of('ok').lowest, of('not_found').lowest, of('not_found').highest, of('forbidden').highest].flatMap(
      (alike) => oneOf(alike, at),
    ),
    ...(verdicts.size > 1 ? agents : oneOf(agents, at)),
    ...(kind === 'own' ? [withProof('nothing'), withProof('bad'), withProof(rare), ladder] : []).flatMap(
      (alike) => oneOf(alike, at),
    ),
  ];
  return [...new Set(asked)];
}

/** Returns the path, with an object of its own when the call deletes it. */
async function pathOf(row: AccessRow, who: Principal, kind: Kind, succeeds: boolean): Promise<string> {
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  let path = row.path;
  for (const name of names) {
    const fresh = succeeds && row.method === 'DELETE' && row.users !== 'no' && name === names.at(-1);
    path = path.replace(
      `{${name}}`,
      PUBLISHED[name as 'version'] ??
        (kind === 'unknown' ? randomUUID() : await idFor(name, row, who, kind, fresh)),
    );
  }
  if (row.route === 'DELETE /api/projects/issues/{issueId}') return `${path}?confirm=true`;
  return row.route === 'DELETE /api/projects/{projectId}' ? `${path}?confirm=true` : path;
}

async function idFor(name: string, row: AccessRow, who: Principal, kind: 'own' | 'foreign', fresh: boolean) {
  const place = places[kind];
  if (name === 'keyId') return aKey(row, who, kind);
  if (name === 'sessionId') return aSession(row, who, kind);
  if (name === 'toolName') return 'x';
  if (name === 'name') return 'default';
  if (name === 'deliveryId' || name === 'issuerId') return randomUUID();
  if (name === 'id' && row.path.startsWith('/api/mcp/catalog')) return 'microsoft-learn';
  if (name === 'id') return fresh ? aDeadServer(service) : server;
  if (!fresh) return place.ids[name]!;
  if (name === 'projectId') return (await aMembersProject(service.owner, membersOf[kind])).id;
  return makers[name]!(service.owner, place);
}

/** Makes a key of the owner that the path names, for this call, which may delete it. */
async function aKey(row: AccessRow, who: Principal, kind: Kind): Promise<string> {
  const { userId, agentId } = places[kind as 'own'].ids;
  const mine = who.caller.id && who.type === 'user' && kind === 'own' ? who.caller.id : userId;
  const of = row.path.startsWith('/api/auth')
    ? `users/${mine}`
    : row.path.includes('{userId}')
      ? `users/${userId}`
      : `agents/${agentId}`;
  return (await createdBy<{ id: string }>(service.owner, `/api/${of}/keys`, { name: 'x' })).id;
}

/** Makes a session of the user that the path names, for this call, which may end it. */
async function aSession(row: AccessRow, who: Principal, kind: Kind): Promise<string> {
  const { userId } = places[kind as 'own'].ids;
  const isOwn = who.caller.id && who.type === 'user' && kind === 'own' && row.path.startsWith('/api/auth');
  const id = randomUUID();
  await service.sql('INSERT INTO sessions (id, user_id, hash) VALUES ($1::uuid, $2, uuid_send($1::uuid))', [
    id,
    isOwn ? who.caller.id : userId,
  ]);
  return id;
}

/** Waits only for the head of a response that does not end. */
async function call(row: AccessRow, who: Principal, kind: Kind, succeeds: boolean): Promise<string> {
  const caller =
    row.cookie === 'only' && succeeds ? await signedIn(service, { email: who.email! }) : who.caller;
  const path = await pathOf(row, who, kind, succeeds);
  const { statusCode, headers, body } = await caller.open(
    row.method,
    path,
    requestOf(row.route, kind, places),
  );
  body.on('error', () => undefined);
  if (!String(headers['content-type']).includes('problem+json')) {
    if (String(headers['content-type']).includes('event-stream')) body.destroy();
    else await body.dump();
    return statusCode < 500 ? 'ok' : String(statusCode);
  }
  const { code } = (await body.json()) as { code: string };
  if (code === 'not_yours') return 'forbidden';
  if (['unauthenticated', 'forbidden', 'not_found'].includes(code)) return code;
  // The remote server of the table is at an address that does not exist.
  if (code === 'sign_in_unavailable') return 'ok';
  return statusCode < 500 && ![401, 403, 404, 405].includes(statusCode) ? 'ok' : code;
}

/**
 * These routes name an existing object; an allowed caller learns that it has no such tool, delivery or identity. Of a code
 * host a project has one hook, which another allowed caller may have deleted just now.
 */
const MAY_LACK = new Set([
  'POST /api/mcp/installed/{id}/tools/{toolName}/call',
  'POST /api/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  'GET /api/users/{userId}/identity',
  'DELETE /api/users/{userId}/identity',
  'DELETE /api/projects/code-hooks/{hookId}',
]);

describe('docs/access.md', () => {
  it('has one line for each route of the OpenAPI document, and no other', async () => {
    const { body } = await service.owner.unchecked().get('/api/openapi.json');
    const routes = Object.entries(body['paths']!).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(accessTable.map(({ route }) => route).toSorted()).toEqual(routes.toSorted());
  });

  it('names the ways to authenticate that the document names', async () => {
    const { body } = await service.owner.unchecked().get('/api/openapi.json');
    for (const row of accessTable) {
      const security = body['paths']![row.path]![row.method.toLowerCase()]![
        'security'
      ] as unknown as object[];
      const closed = row.users !== 'anyone';
      const users = closed && row.users !== 'no';
      const schemes = [
        ...(users && row.cookie !== 'only' ? ['user'] : []),
        ...(users && row.cookie !== 'no' ? ['session'] : []),
        ...(closed && row.agents !== 'no' ? ['agent'] : []),
      ];
      expect([row.route, security.flatMap(Object.keys)]).toEqual([row.route, schemes]);
    }
  });

  it.each(accessTable.map((row, at) => [row.route, row, at] as const))(
    'states what the service does: %s',
    async (_, row, at) => {
      const wrong: string[] = [];
      for (const kind of kindsOf(row)) {
        const calls = askedAt(row, kind, at).map(async (who) => {
          const verdict = verdictOn(row, who, kind);
          const found = await call(row, who, kind, verdict === 'ok');
          const lacks = verdict === 'ok' && found === 'not_found' && MAY_LACK.has(row.route);
          if (found !== verdict && !lacks) wrong.push(`${who.name}, ${kind}: ${found} instead of ${verdict}`);
        });
        await Promise.all(calls);
      }
      expect(wrong).toEqual([]);
    },
  );
});
