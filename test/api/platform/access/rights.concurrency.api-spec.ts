import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, createdBy, type Project } from '../../../support/builders.js';
import type { Answer } from '../../../support/answer.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor, asSession, asUser } from '../../../support/callers.js';
import { useService, type Service } from '../../../support/service.js';

/** The least number of calls that race one change, and the call after which it is made. */
const MANY = { calls: 1_000, changeAt: 300 };
const FEW = { calls: 400, changeAt: 100 };
const AT_ONCE = 16;
/** The number of calls after the change that the test waits for, however long they take. */
const AFTER = 100;
const AT_MOST = 20_000;

const service = useService();
let other: Service;
let project: Project;
beforeAll(async () => {
  other = await service.second();
  project = await aProject(service.owner);
});

/**
 * Calls two processes without a pause while a permission is revoked.
 * @returns the statuses of calls that began before the change, and of those that began after its 2xx
 */
async function race(
  call: (at: Service) => Promise<Answer<unknown>>,
  takeAway: () => Promise<Answer<unknown>>,
  { calls, changeAt } = MANY,
): Promise<{ before: number[]; after: number[] }> {
  const [before, after]: [number[], number[]] = [[], []];
  let begun = 0;
  let isGone = false;
  let change: Promise<void> | null = null;
  const worker = async () => {
    while (begun < calls || (after.length <= AFTER && begun < AT_MOST)) {
      begun += 1;
      if (begun >= changeAt) change ??= takeAway().then(({ status }) => void (isGone = status < 300));
      const late = isGone;
      const { status } = await call(begun % 2 ? service : other);
      (late ? after : before).push(status);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await change;
  return { before, after };
}

function expectNoneAfter({ before, after }: { before: number[]; after: number[] }, refusal: number): void {
  expect(before.filter((status) => status < 300).length).toBeGreaterThanOrEqual(FEW.changeAt - AT_ONCE);
  expect(after.length).toBeGreaterThan(AFTER);
  expect(new Set(after)).toEqual(new Set([refusal]));
}

/** Sends a GET without checking the response against the document, so that the test is not the slower side. */
const reading = (caller: Caller, path: string) => {
  const [here, there] = [caller.unchecked(), caller.unchecked().at(other)];
  return (at: Service) => (at === other ? there : here).get(path);
};

describe('once it has returned 2xx', () => {
  it('the deletion of a key lets no call through', async () => {
    const editor = await asEditor(service);
    const [key] = await service.sql<{ id: string }>('SELECT id FROM api_keys WHERE user_id = $1', [
      editor.id,
    ]);
    const result = await race(reading(editor, '/api/projects'), () =>
      service.owner.delete(`/api/users/${editor.id}/keys/${key!.id}`),
    );
    expectNoneAfter(result, 401);
  });

  it('a demotion lets no call through', async () => {
    const admin = await asUser(service, 'Admin');
    const result = await race(reading(admin, '/api/users?limit=1'), () =>
      service.owner.put(`/api/users/${admin.id}`, { role: 'Editor' }),
    );
    expectNoneAfter(result, 403);
  });

  it('disabling a user lets no call through, by key or session', async () => {
    const session = await asSession(service, 'Viewer');
    const { key } = await createdBy<{ key: string }>(service.owner, `/api/users/${session.id}/keys`, {
      name: 'k',
    });
    const withKey = { headers: { authorization: `Bearer ${key}` } };
    const [here, there] = [session.unchecked(), session.unchecked().at(other)];
    let turn = 0;
    const result = await race(
      (at) => (at === other ? there : here).get('/api/auth/me', (turn += 1) % 3 ? {} : withKey),
      () => service.owner.put(`/api/users/${session.id}`, { disabled: true }),
    );
    expectNoneAfter(result, 401);
  });

  it('a logout lets no call through', async () => {
    const session = await asSession(service, 'Viewer');
    const result = await race(reading(session, '/api/auth/me'), () => session.post('/api/auth/logout'));
    expectNoneAfter(result, 401);
  });

  it('the end of a membership lets no call of a user or an agent through', async () => {
    const [viewer, agent] = [await asUser(service, 'Viewer'), await asAgent(service)];
    const closed = await aProject(service.owner, { visibility: 'members' });
    const issue = await anIssue(service.owner, closed);
    const members = (role: string | null) =>
      service.owner.put(`/api/projects/${closed.id}/members`, {
        entries: [
          { userId: viewer.id, role },
          { agentId: agent.id, role },
        ],
      });
    await members('Viewer');
    const calls = [viewer, agent].map((caller) => reading(caller, `/api/projects/issues/${issue.id}`));
    let turn = 0;
    expectNoneAfter(
      await race(
        (at) => calls[(turn += 1) % 2]!(at),
        () => members(null),
      ),
      404,
    );
  });
});

describe('a user who is disabled while writing', () => {
  it('leaves nothing that began after the change', async () => {
    const editor = await asEditor(service);
    const path = `/api/projects/${project.id}/issues`;
    const [here, there] = [editor.unchecked(), editor.unchecked().at(other)];
    const result = await race(
      (at) => (at === other ? there : here).post(path, { title: 'x' }),
      () => service.owner.delete(`/api/users/${editor.id}`),
      FEW,
    );
    expectNoneAfter(result, 401);
    const [row] = await service.sql<{ made: number }>(
      'SELECT count(*)::int AS made FROM issues WHERE project_id = $1',
      [project.id],
    );
    expect(row!.made).toBe(result.before.filter((status) => status === 201).length);
  });
});
