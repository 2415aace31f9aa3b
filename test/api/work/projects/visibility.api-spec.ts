import { beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, createdBy, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asUser, withKey, type Role } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';

const service = useService();
const ROLES = ['Viewer', 'Editor', 'Admin', 'Owner'] as const;
const MEMBERSHIPS = [null, 'Viewer', 'Editor', 'Admin'] as const;
const CAPS = [null, 'Viewer', 'Editor'] as const;
type Visibility = 'open' | 'members';
const rank = (role: Role | null) => (role === null ? 0 : ROLES.indexOf(role) + 1);

/** A user of each role, with a key for each role that it can be narrowed to. */
const callers: { role: Role; cap: Role | null; caller: Caller }[] = [];
let agents: { member: Caller; stranger: Caller };
const projects = new Map<string, Project>();
const projectOf = (visibility: Visibility, membership: Role | null) =>
  projects.get(`${visibility} ${membership}`)!;

beforeAll(async () => {
  const { owner } = service;
  const users = new Map<Role, Caller>();
  for (const role of ROLES) users.set(role, await asUser(service, role));
  for (const [role, user] of users)
    for (const cap of CAPS) {
      const fields = { name: 'x', ...(cap && { role: cap }) };
      const { key } = await createdBy<{ key: string }>(owner, `/api/users/${user.id}/keys`, fields);
      callers.push({ role, cap, caller: withKey(service, key) });
    }
  agents = { member: await asAgent(service), stranger: await asAgent(service) };
  for (const visibility of ['open', 'members'] as const)
    for (const membership of MEMBERSHIPS) {
      const project = await aProject(owner, { visibility });
      const entries = [...users.values()].map(({ id }) => ({ userId: id, role: membership }));
      await owner.put(`/api/projects/${project.id}/members`, {
        entries: [...entries, { agentId: agents.member.id, role: 'Viewer' }],
      });
      projects.set(`${visibility} ${membership}`, project);
    }
});

/** The rule of contract §2, written independently. 0 sees nothing. */
function rankIn(visibility: Visibility, membership: Role | null, role: Role, cap: Role | null): number {
  const most = cap === null ? 4 : rank(cap);
  const global = Math.min(rank(role), most);
  if (global >= rank('Admin')) return global;
  const there = Math.min(rank(membership), most);
  return visibility === 'open' ? Math.max(global, there) : there;
}

/** Returns the status of a route with this threshold for a caller with these ranks. */
function statusFor(threshold: Role, there: number, global: number): number {
  if (there === 0) return global < rank(threshold) ? 403 : 404;
  return there < rank(threshold) ? 403 : 200;
}

const cases = (['open', 'members'] as const).flatMap((visibility) =>
  MEMBERSHIPS.map((membership) => ({ visibility, membership })),
);

describe.each(cases)(
  'a project that is $visibility, for a member with the role $membership',
  ({ visibility, membership }) => {
    it('admits and refuses every role and every narrowed key as the contract defines', async () => {
      const { id } = projectOf(visibility, membership);
      for (const { role, cap, caller } of callers) {
        const there = rankIn(visibility, membership, role, cap);
        const global = Math.min(rank(role), cap === null ? 4 : rank(cap));
        const answers = [
          await caller.get(`/api/projects/${id}`),
          await caller.put(`/api/projects/${id}`, { description: 'changed' }),
          await caller.put(`/api/projects/${id}/members`, { entries: [] }),
        ];
        expect({ role, cap, statuses: answers.map(({ status }) => status) }).toEqual({
          role,
          cap,
          statuses: (['Viewer', 'Editor', 'Admin'] as const).map((threshold) =>
            statusFor(threshold, there, global),
          ),
        });
      }
    });

    it('is in the lists of exactly those who see it', async () => {
      const { id } = projectOf(visibility, membership);
      for (const { role, cap, caller } of callers) {
        const listed = (await caller.get<Project[]>('/api/projects')).body.some(
          (project) => project.id === id,
        );
        expect({ role, cap, listed }).toEqual({
          role,
          cap,
          listed: rankIn(visibility, membership, role, cap) > 0,
        });
      }
    });

    it('is visible to agents that are members, and to all agents when it is open', async () => {
      const { id, key } = projectOf(visibility, membership);
      expect((await agents.member.get(`/api/projects/${key}`)).body.id).toBe(id);
      expect((await agents.stranger.get(`/api/projects/${id}`)).status).toBe(
        visibility === 'open' ? 200 : 404,
      );
      expect((await agents.stranger.get(`/api/projects/${key}`)).status).toBe(
        visibility === 'open' ? 200 : 404,
      );
    });
  },
);

describe('the count of a list', () => {
  it('contains only what the caller sees', async () => {
    const total = async (caller: Caller) =>
      (await caller.get('/api/projects?count=true')).headers['x-total-count'];
    expect(await total(agents.member)).toBe('8');
    expect(await total(agents.stranger)).toBe('4');
    const viewer = await asUser(service, 'Viewer');
    expect(await total(viewer)).toBe('4');
  });
});

describe('a membership that ends', () => {
  it('hides the project from the member at once', async () => {
    const project = await aProject(service.owner, { visibility: 'members' });
    const editor = await asUser(service, 'Editor');
    const setRole = (role: Role | null) =>
      service.owner.put(`/api/projects/${project.id}/members`, { entries: [{ userId: editor.id, role }] });
    await setRole('Editor');
    expect((await editor.put(`/api/projects/${project.id}`, { name: 'x' })).status).toBe(200);
    await setRole('Viewer');
    expect((await editor.put(`/api/projects/${project.id}`, { name: 'x' })).status).toBe(403);
    await setRole(null);
    expect((await editor.get(`/api/projects/${project.id}`)).status).toBe(404);
  });
});
