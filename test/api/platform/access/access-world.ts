import { randomUUID } from 'node:crypto';
import { FormData } from '../../../support/worker/undici.cjs';
import {
  aComment,
  aGoal,
  aLabel,
  aLink,
  anAgent,
  anIssue,
  aProject,
  aView,
  aSchedule,
  createdBy,
  someKey,
  someName,
} from '../../../support/builders.js';
import { aCodeHook } from '../../../support/code-deliveries.js';
import type { RequestOptions } from '../../../support/answer.js';
import type { Caller } from '../../../support/caller.js';
import { PASSWORD } from '../../../support/callers.js';
import type { Service } from '../../../support/service.js';
import type { Kind } from './access-table.js';

type Ids = Record<string, string>;

/** A members-only project with one object of each kind in it, and an agent and a user beside it. */
export interface Place {
  project: { id: string };
  ids: Ids;
  /** An issue that links can point to. */
  target: string;
}

export const fileForm = (): FormData => {
  const form = new FormData();
  form.set('file', new Blob(['x']), 'x.txt');
  return form;
};

/** A file with nothing in it that an import makes. */
const anImport = (): RequestOptions => ({
  rawBody: '{"kind":"end"}\n',
  headers: { 'content-type': 'application/x-ndjson' },
});

const idOf = async (made: Promise<{ id: string }>) => (await made).id;

/** Creates an object for `DELETE`, in the project of the place when it belongs to one. */
export const makers: Record<string, (owner: Caller, place: Place) => Promise<string>> = {
  issueId: (owner, { project }) => idOf(anIssue(owner, project)),
  goalId: (owner, { project }) => idOf(aGoal(owner, project)),
  labelId: (owner, { project }) => idOf(aLabel(owner, project)),
  viewId: (owner, { project }) => idOf(aView(owner, project, { shared: true })),
  scheduleId: (owner, { project }) => idOf(aSchedule(owner, project)),
  commentId: (owner, { ids }) => idOf(aComment(owner, { id: ids['issueId']! })),
  linkId: async (owner, { project, ids }) =>
    idOf(aLink(owner, { id: ids['issueId']! }, await anIssue(owner, project))),
  attachmentId: async (owner, { ids }) =>
    String(
      (
        await owner.post(`/api/projects/issues/${ids['issueId']}/attachments`, undefined, {
          multipart: fileForm(),
        })
      ).body['id'],
    ),
  gateId: async (owner, { project }) => {
    const { id } = await anIssue(owner, project);
    return idOf(createdBy(owner, `/api/projects/issues/${id}/gates`, { question: 'x?' }));
  },
  importId: async (owner, { project }) =>
    String((await owner.post(`/api/projects/${project.id}/imports`, undefined, anImport())).body['id']),
  codeId: async (owner, { ids }) =>
    idOf(
      createdBy(owner, `/api/projects/issues/${ids['issueId']}/code`, {
        url: `https://github.com/acme/web/tree/${randomUUID()}`,
      }),
    ),
  hookId: async (owner, { project }) => idOf(aCodeHook(owner, project)),
  userId: (owner) => idOf(createdBy(owner, '/api/users', aUser())),
  agentId: (owner) => idOf(anAgent(owner)),
  profileId: (owner) => idOf(createdBy(owner, '/api/mcp/profiles', name())),
  webhookId: (owner) => idOf(createdBy(owner, '/api/webhooks', { url: 'https://hooks.example.com/x' })),
};

/** Bodies with which an allowed caller passes every rule, or reaches a refusal that is not about access. */
export function requestOf(
  route: string,
  kind: Kind,
  places: Record<'own' | 'foreign', Place>,
): RequestOptions {
  if (route.endsWith('/attachments') && route.startsWith('POST')) return { multipart: fileForm() };
  if (route === 'POST /api/projects/{projectId}/imports') return anImport();
  if (route.startsWith('POST') && route.endsWith('/mcp'))
    return {
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { accept: 'application/json, text/event-stream' },
    };
  const body = BODIES[route];
  return body ? { body: body(places[kind === 'foreign' ? 'foreign' : 'own']) } : {};
}

const aUser = () => ({ email: `${randomUUID()}@example.com`, name: 'x', role: 'Viewer' });
const entries = () => ({ entries: [] });
const aBudget = () => ({ turns: 1_000_000, period: 'day' });
const name = () => ({ name: someName('x') });

const BODIES: Record<string, (place: Place) => object> = {
  'POST /api/auth/login': () => ({}),
  'POST /api/auth/password': () => ({ currentPassword: 'wrong', newPassword: 'long enough for this' }),
  'POST /api/auth/elevate': () => ({ password: PASSWORD }),
  'POST /api/auth/keys': name,
  'PUT /api/auth/me': () => ({}),
  'POST /api/users': aUser,
  'PUT /api/users/{userId}': name,
  'PUT /api/users/{userId}/identity': () => ({ subject: randomUUID() }),
  'POST /api/users/{userId}/keys': name,
  'POST /api/webhooks': () => ({}),
  'PUT /api/webhooks/{webhookId}': () => ({}),
  'POST /api/mcp/installed': () => ({}),
  'PUT /api/mcp/installed/{id}': () => ({}),
  'POST /api/mcp/installed/{id}/tools/{toolName}/call': () => ({ arguments: {} }),
  'PUT /api/mcp/installed/{id}/access': entries,
  'POST /api/mcp/installed/{id}/credential-sets': () => ({ name: 'x' }),
  'PUT /api/mcp/installed/{id}/credential-sets/{name}': () => ({ envValues: {} }),
  'PUT /api/mcp/access': entries,
  'POST /api/mcp/profiles': name,
  'PUT /api/mcp/profiles/{profileId}': name,
  'POST /api/projects': () => ({ key: someKey(), name: 'x' }),
  'PUT /api/projects/{projectId}': name,
  'PUT /api/projects/{projectId}/members': entries,
  'POST /api/projects/{projectId}/goals': () => ({ title: 'x' }),
  'PUT /api/projects/goals/{goalId}': () => ({ title: 'x' }),
  'POST /api/projects/{projectId}/labels': name,
  'PUT /api/projects/labels/{labelId}': () => ({ color: 'blue' }),
  'POST /api/projects/{projectId}/views': () => ({ ...name(), query: '' }),
  'PUT /api/projects/views/{viewId}': name,
  'POST /api/projects/{projectId}/schedules': () => ({
    name: 'x',
    cron: '0 0 1 1 *',
    template: { title: 'x' },
  }),
  'PUT /api/projects/schedules/{scheduleId}': () => ({ policy: 'queue' }),
  'POST /api/projects/{projectId}/issues': () => ({ title: 'x' }),
  'POST /api/projects/{projectId}/plans': () => ({ issues: [{ ref: 'a', title: 'x' }] }),
  'PUT /api/projects/issues/{issueId}': () => ({ priority: 'low' }),
  'POST /api/projects/issues/{issueId}/links': ({ target }) => ({
    targetIssueId: target,
    linkType: 'RelatedTo',
  }),
  'POST /api/projects/issues/{issueId}/code': () => ({ url: 'https://github.com/acme/web/pull/1' }),
  'PUT /api/projects/{projectId}/code-hooks': () => ({ provider: 'github', repositories: [] }),
  'POST /api/projects/issues/{issueId}/gates': () => ({ question: 'x?' }),
  'POST /api/projects/gates/{gateId}/answer': () => ({ text: 'x' }),
  'POST /api/projects/issues/{issueId}/finish': () => ({ token: 1, status: 'Resolved' }),
  'POST /api/projects/issues/{issueId}/release': () => ({ token: 1 }),
  'PUT /api/projects/issues/{issueId}/run': () => ({ token: 1 }),
  'POST /api/projects/issues/{issueId}/comments': () => ({ content: 'x' }),
  'PUT /api/projects/comments/{commentId}': () => ({ content: 'x' }),
  'POST /api/agents': name,
  'PUT /api/agents/halt': () => ({ halted: false }),
  'PUT /api/agents/{agentId}': () => ({ description: 'x' }),
  'POST /api/agents/{agentId}/keys': name,
  'PUT /api/agents/{agentId}/access': entries,
  'PUT /api/agents/{agentId}/budget': aBudget,
  'PUT /api/projects/{projectId}/budget': aBudget,
  'PUT /api/projects/issues/{issueId}/budget': aBudget,
};

/** Creates a place with the given members. */
export async function aPlace(owner: Caller, agent: Caller, members: object[]): Promise<Place> {
  const project = await aMembersProject(owner, members);
  const issueId = await idOf(anIssue(owner, project));
  const target = await idOf(anIssue(owner, project));
  const place: Place = { project, target, ids: { projectId: project.id, issueId, agentId: agent.id } };
  for (const made of [
    'goalId',
    'labelId',
    'viewId',
    'scheduleId',
    'commentId',
    'attachmentId',
    'gateId',
    'importId',
    'codeId',
    'hookId',
    'userId',
    'webhookId',
    'profileId',
  ])
    place.ids[made] = await makers[made]!(owner, place);
  place.ids['linkId'] = await idOf(aLink(owner, { id: issueId }, await anIssue(owner, project)));
  return place;
}

export async function aMembersProject(owner: Caller, members: object[]): Promise<{ id: string }> {
  const project = await aProject(owner, { visibility: 'members' });
  const answer = await owner.put(`/api/projects/${project.id}/members`, { entries: members });
  if (answer.status !== 200) throw new Error(answer.text);
  return project;
}

/** Installs a server that never responds, because the service does not call its address. */
export async function aDeadServer(service: Service): Promise<string> {
  const id = randomUUID();
  const changed = await service.sql<{ id: string }>(
    `INSERT INTO installed_servers (id, name, slug, catalog_id, entry, status)
     SELECT $1::uuid, $2, $3, catalog_id, replace(entry::text, 'learn.microsoft.com', '127.0.0.1')::jsonb, 'enabled'
     FROM installed_servers WHERE catalog_id = 'microsoft-learn' ORDER BY created_at LIMIT 1 RETURNING id`,
    [id, `dead ${id}`, id.slice(-12)],
  );
  return changed[0]!.id;
}
