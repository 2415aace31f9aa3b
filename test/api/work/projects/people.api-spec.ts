import { beforeAll, describe, expect, it } from '@jest/globals';
import { aProject } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin, asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { expectInvalidPaths } from '../issues/issue-requests.js';

interface Person {
  id: string;
  name: string;
  role: string;
}

const service = useService();
let [viewer, editor, admin]: Caller[] = [];
beforeAll(async () => {
  [viewer, editor, admin] = [await asViewer(service), await asEditor(service), await asAdmin(service)];
});

async function people(caller: Caller, query = ''): Promise<Person[]> {
  const answer = await caller.get<Person[]>(`/api/people${query}`);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}
const roleOf = (found: Person[], { id }: Caller) => found.find((person) => person.id === id)?.role;

describe('GET /api/people', () => {
  it('returns id, name and role of each user who is not disabled, by name, and nothing else', async () => {
    const gone = await asViewer(service);
    await service.owner.put(`/api/users/${gone.id}`, { disabled: true });
    const found = await people(viewer!, '?limit=1000');
    expect(found).toContainEqual({ id: editor!.id, name: editor!.name, role: 'Editor' });
    expect(found.map(({ id }) => id)).not.toContain(gone.id);
    const pages = await people(viewer!, '?limit=1');
    expect(pages).toEqual(found.slice(0, 1));
  });

  it('with projectId returns those who see the project, with their role there', async () => {
    const open = await aProject(editor!);
    await service.owner.put(`/api/projects/${open.id}/members`, {
      entries: [{ userId: viewer!.id, role: 'Editor' }],
    });
    const all = await people(viewer!, `?projectId=${open.key}&limit=1000`);
    expect([viewer!, editor!, admin!].map((person) => roleOf(all, person))).toEqual([
      'Editor',
      'Editor',
      'Admin',
    ]);
    const closed = await aProject(editor!, { visibility: 'members' });
    const members = await people(editor!, `?projectId=${closed.id}&limit=1000`);
    expect([viewer!, editor!, admin!].map((person) => roleOf(members, person))).toEqual([
      undefined,
      'Editor',
      'Admin',
    ]);
  });

  it('returns 400 for a project that the caller does not see, and 403 to an agent', async () => {
    const closed = await aProject(editor!, { visibility: 'members' });
    for (const project of [closed.id, closed.key, 'NOWHERE', 'x'])
      await expectInvalidPaths(viewer!.get(`/api/people?projectId=${project}`), 'projectId');
    expect((await (await asAgent(service)).get('/api/people')).status).toBe(403);
  });
});
