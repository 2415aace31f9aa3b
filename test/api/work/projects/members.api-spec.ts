import { beforeAll, describe, expect, it } from '@jest/globals';
import type { MemberResponse } from '../../../../src/work/projects/project-and-member.dto.js';
import { aProject } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin, asAgent, asEditor, asOwner, asViewer } from '../../../support/callers.js';
import { notFound, refused } from '../../../support/refusal.js';
import { useService } from '../../../support/service.js';
import type { Wire } from '../../../support/wire.js';

type Member = Wire<MemberResponse>;

const service = useService();
const unknown = '01a1fc2c-4690-71ec-b875-d2220cb6115f';
let admin: Caller;
let viewer: Caller;
let agent: Caller;
beforeAll(async () => {
  [admin, viewer, agent] = [await asAdmin(service), await asViewer(service), await asAgent(service)];
});

const merge = (project: { id: string }, entries: unknown[], caller = admin) =>
  caller.put<Member[]>(`/api/projects/${project.id}/members`, { entries });
const ofUser = (user: Caller, role: string): Member => ({
  userId: user.id,
  agentId: null,
  name: user.name,
  role: role as 'Viewer',
});

describe('the members of a project', () => {
  it('are added, changed and removed by a merge, which leaves others unchanged', async () => {
    const project = await aProject(admin);
    const added = await merge(project, [
      { userId: viewer.id, role: 'Editor' },
      { agentId: agent.id, role: 'Viewer' },
    ]);
    const ofAgent = { userId: null, agentId: agent.id, name: agent.name, role: 'Viewer' };
    expect(added.body).toHaveLength(2);
    expect(added.body).toEqual(expect.arrayContaining([ofUser(viewer, 'Editor'), ofAgent]));
    expect((await merge(project, [{ userId: viewer.id, role: 'Admin' }])).body).toContainEqual(
      ofUser(viewer, 'Admin'),
    );
    expect((await merge(project, [{ userId: viewer.id, role: null }])).body).toEqual([ofAgent]);
    expect((await viewer.get(`/api/projects/${project.key}/members`)).body).toEqual([ofAgent]);
  });

  it('stay the same when a user who is not a member is removed, and when the list of entries is empty', async () => {
    const project = await aProject(admin);
    expect(await merge(project, [{ userId: viewer.id, role: null }])).toMatchObject({
      status: 200,
      body: [],
    });
    expect(await merge(project, [])).toMatchObject({ status: 200, body: [] });
  });

  it('change completely or not at all', async () => {
    const project = await aProject(admin);
    const answer = await merge(project, [
      { userId: viewer.id, role: 'Viewer' },
      { agentId: unknown, role: 'Viewer' },
    ]);
    expect(answer).toMatchObject(refused(400, 'validation_failed', 'entries[1].agentId'));
    expect((await merge(project, [])).body).toEqual([]);
  });

  it.each<[string, (userId: string, agentId: string) => unknown[], string]>([
    [
      'a user twice',
      (user) => [
        { userId: user, role: 'Viewer' },
        { userId: user, role: 'Editor' },
      ],
      'entries[1].userId',
    ],
    ['an unknown user', () => [{ userId: unknown, role: 'Viewer' }], 'entries[0].userId'],
    ['a malformed id', () => [{ userId: 'x', role: 'Viewer' }], 'entries[0].userId'],
    ['an agent as a user', (_, agentId) => [{ userId: agentId, role: 'Viewer' }], 'entries[0].userId'],
    ['a user as an agent', (user) => [{ agentId: user, role: 'Viewer' }], 'entries[0].agentId'],
    ['neither a user nor an agent', () => [{ role: 'Viewer' }], 'entries[0].userId'],
    [
      'both a user and an agent',
      (userId, agentId) => [{ userId, agentId, role: 'Viewer' }],
      'entries[0].agentId',
    ],
    ['an unknown role', (user) => [{ userId: user, role: 'King' }], 'entries[0].role'],
    ['no role', (user) => [{ userId: user }], 'entries[0].role'],
    ['an unknown field', (user) => [{ userId: user, role: 'Viewer', since: 1 }], 'entries[0].since'],
  ])('are rejected with %s, on its path', async (_, entries, path) => {
    const project = await aProject(admin);
    expect(await merge(project, entries(viewer.id, agent.id))).toMatchObject(
      refused(400, 'validation_failed', path),
    );
  });

  it.each([undefined, null, 1, 'x'])('are rejected when entries is %j', async (entries) => {
    const project = await aProject(admin);
    const answer = await admin.put(`/api/projects/${project.id}/members`, { entries });
    expect(answer).toMatchObject(refused(400, 'validation_failed', 'entries'));
  });

  it('can neither be given nor lose a role above that of the caller', async () => {
    const project = await aProject(admin);
    const owner = await asOwner(service);
    expect(await merge(project, [{ userId: viewer.id, role: 'Owner' }])).toMatchObject(
      refused(403, 'forbidden'),
    );
    await merge(project, [{ userId: viewer.id, role: 'Owner' }], owner);
    for (const role of [null, 'Viewer'])
      expect(await merge(project, [{ userId: viewer.id, role }])).toMatchObject(refused(403, 'forbidden'));
    expect((await merge(project, [{ userId: viewer.id, role: null }], owner)).status).toBe(200);
  });

  it('can be Admins of the project without being Admins elsewhere', async () => {
    const [project, other, editor] = [await aProject(admin), await aProject(admin), await asEditor(service)];
    await merge(project, [{ userId: editor.id, role: 'Admin' }]);
    expect((await merge(project, [{ userId: viewer.id, role: 'Viewer' }], editor)).status).toBe(200);
    expect(await merge(other, [], editor)).toMatchObject(refused(403, 'forbidden'));
    expect((await editor.delete(`/api/projects/${project.id}?confirm=true`)).status).toBe(204);
  });

  it('are visible only to those who see the project', async () => {
    const project = await aProject(admin, { visibility: 'members' });
    for (const caller of [viewer, agent])
      expect(await caller.get(`/api/projects/${project.id}/members`)).toMatchObject(notFound);
  });

  it('are listed in pages', async () => {
    const project = await aProject(admin);
    await merge(project, [
      { userId: viewer.id, role: 'Viewer' },
      { agentId: agent.id, role: 'Viewer' },
      { userId: admin.id, role: 'Admin' },
    ]);
    const first = await admin.get<Member[]>(`/api/projects/${project.id}/members?limit=2`);
    const next = /^<(.*)>/.exec(first.headers['link']!)![1]!;
    const rest = await admin.get<Member[]>(next);
    expect([...first.body, ...rest.body].map(({ name }) => name).toSorted()).toEqual(
      [viewer.name, agent.name, admin.name].toSorted(),
    );
  });
});
