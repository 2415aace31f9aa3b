import { beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, aLink, anIssue, aProject, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import {
  act,
  anIssueIn,
  expectSuccess,
  pathOf,
  put,
  read,
  expectRefused,
  expectInvalidPaths,
  remove,
} from './issue-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

describe('closing', () => {
  it.each(['Open', 'paused', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved'] as const)(
    'an issue that is %s and blocks nothing open returns 204',
    async (status) => {
      const issue = await anIssueIn(editor, project, status);
      expect(await act(editor, issue, 'close')).toMatchObject({ status: 204, text: '' });
      expect(await read(editor, issue)).toMatchObject({
        status: 'Closed',
        paused: false,
        closedAt: expect.any(String),
      });
    },
  );

  it('a closed issue returns 204 and changes nothing, even with open dependents', async () => {
    const blocker = await anIssueIn(editor, project, 'Closed');
    await aLink(editor, blocker, await anIssue(editor, project));
    const before = await read(editor, blocker);
    for (const spelling of ['close', 'close?force=false', 'close?force=true'])
      expect((await act(editor, blocker, spelling)).status).toBe(204);
    expect(await read(editor, blocker)).toEqual(before);
  });

  it.each(['Open', 'InProgress', 'PendingReview', 'WaitingOnDependency'] as const)(
    'is rejected without force while a dependent is %s, by POST and by PUT, and names the dependent',
    async (status) => {
      const blocker = await anIssueIn(editor, project, 'Resolved');
      const dependent = await anIssueIn(editor, project, status);
      await aLink(editor, blocker, dependent);
      await aLink(editor, blocker, await anIssueIn(editor, project, 'Resolved'));
      const before = await read(editor, blocker);
      for (const attempt of [
        act(editor, blocker, 'close'),
        act(editor, blocker, 'close?force=false'),
        put(editor, blocker, { status: 'Closed' }),
      ]) {
        const refusal = await expectRefused(attempt, 409, 'open_dependents');
        const { id, key, title } = dependent;
        expect(refusal['dependents']).toEqual([{ id, key, title, status }]);
        expect(refusal['detail']).toMatch(/force/);
      }
      expect(await read(editor, blocker)).toEqual(before);
    },
  );

  it('succeeds with force and unblocks the dependents', async () => {
    const blocker = await anIssue(editor, project);
    const dependent = await anIssue(editor, project, { blockedByIssueId: blocker.id });
    expect((await act(editor, blocker, 'close?force=true')).status).toBe(204);
    expect((await read(editor, blocker)).status).toBe('Closed');
    expect((await read(editor, dependent)).status).toBe('Open');
  });

  it('needs no force when all dependents are Resolved or Closed', async () => {
    const blocker = await anIssue(editor, project);
    for (const status of ['Resolved', 'Closed'] as const) {
      const dependent = await anIssue(editor, project, { blockedByIssueId: blocker.id });
      await expectSuccess(put(editor, dependent, { status }));
    }
    expect((await act(editor, blocker, 'close')).status).toBe(204);
  });

  it('considers only the issues that this one blocks, not its blockers or related issues', async () => {
    const issue = await anIssueIn(editor, project, 'WaitingOnDependency');
    await aLink(editor, issue, await anIssue(editor, project), 'RelatedTo');
    await aLink(editor, issue, await anIssue(editor, project), 'DuplicateOf');
    expect((await act(editor, issue, 'close')).status).toBe(204);
  });

  it.each(['force=TRUE', 'force=1', 'force=yes', 'force=', 'force', 'force=true&force=true'])(
    'accepts only true and false: %s returns 400 on force',
    async (query) => {
      const issue = await anIssue(editor, project);
      await expectInvalidPaths(act(editor, issue, `close?${query}`), 'force');
      expect((await read(editor, issue)).status).toBe('Open');
    },
  );

  it('accepts no body or an empty one, and rejects an unknown parameter', async () => {
    const issue = await anIssue(editor, project);
    await expectInvalidPaths(act(editor, issue, 'close?forced=true'), 'forced');
    await expectInvalidPaths(act(editor, issue, 'close?force[a]=true'), 'force[a]');
    await expectInvalidPaths(editor.post(`${pathOf(issue)}/close`, { force: true }), 'force');
    expect((await read(editor, issue)).status).toBe('Open');
    expect((await editor.post(`${pathOf(issue)}/close`, {})).status).toBe(204);
  });
});

describe('pausing', () => {
  it('an issue in progress sets it to Open and paused', async () => {
    const issue = await anIssueIn(editor, project, 'InProgress');
    expect(await act(editor, issue, 'pause')).toMatchObject({ status: 204, text: '' });
    expect(await read(editor, issue)).toMatchObject({
      status: 'Open',
      paused: true,
      version: issue.version + 1,
    });
  });

  it('a paused issue returns 204 and changes nothing, even while it waits', async () => {
    const issue = await anIssueIn(editor, project, 'paused');
    expect((await act(editor, issue, 'pause')).status).toBe(204);
    expect(await read(editor, issue)).toEqual(issue);
    await aLink(editor, issue, await anIssue(editor, project), 'BlockedBy');
    expect((await act(editor, issue, 'pause')).status).toBe(204);
  });

  it.each(['Open', 'WaitingOnDependency', 'PendingReview', 'Resolved', 'Closed'] as const)(
    'an issue that is %s and not paused returns 409',
    async (status) => {
      const issue = await anIssueIn(editor, project, status);
      expect(await expectRefused(act(editor, issue, 'pause'), 409, 'invalid_transition')).toMatchObject({
        from: status,
      });
      expect(await read(editor, issue)).toEqual(issue);
    },
  );

  it.each(['Resolved', 'Closed'] as const)('ends for good when the issue is %s', async (status) => {
    const issue = await anIssueIn(editor, project, 'paused');
    await expectSuccess(put(editor, issue, { status }));
    expect((await read(editor, issue)).paused).toBe(false);
    expect(await expectSuccess(put(editor, issue, { status: 'Open' }))).toMatchObject({
      status: 'Open',
      paused: false,
    });
  });
});

describe('resuming', () => {
  it('a paused issue sets it to InProgress and not paused', async () => {
    const issue = await anIssueIn(editor, project, 'paused');
    expect(await act(editor, issue, 'resume')).toMatchObject({ status: 204, text: '' });
    expect(await read(editor, issue)).toMatchObject({ status: 'InProgress', paused: false });
  });

  it.each(['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved', 'Closed'] as const)(
    'an issue that is %s and not paused returns 409',
    async (status) => {
      const issue = await anIssueIn(editor, project, status);
      await expectRefused(act(editor, issue, 'resume'), 409, 'invalid_transition');
      expect(await read(editor, issue)).toEqual(issue);
    },
  );

  it('a paused issue that waits returns 409 until it is unblocked', async () => {
    const issue = await anIssueIn(editor, project, 'paused');
    const { id } = await aLink(editor, issue, await anIssue(editor, project), 'BlockedBy');
    const refusal = await expectRefused(act(editor, issue, 'resume'), 409, 'invalid_transition');
    expect(refusal['detail']).toMatch(/waits/);
    await expectSuccess(editor.delete(`/api/projects/links/${id}`));
    expect((await act(editor, issue, 'resume')).status).toBe(204);
  });

  it('is the only way to continue a paused issue: PUT InProgress returns 409 and says so', async () => {
    const issue = await anIssueIn(editor, project, 'paused');
    const refusal = await expectRefused(
      put(editor, issue, { status: 'InProgress' }),
      409,
      'invalid_transition',
    );
    expect(refusal['detail']).toMatch(/resume/);
  });
});

describe('deleting', () => {
  it.each(['', '?confirm=false'])(
    'without confirm=true (%j) returns 400 confirmation_required and deletes nothing',
    async (query) => {
      const issue = await anIssue(editor, project);
      await expectRefused(editor.delete(pathOf(issue) + query), 400, 'confirmation_required');
      expect(await read(editor, issue)).toEqual(issue);
    },
  );

  it.each(['confirm=TRUE', 'confirm=1', 'confirm=', 'confirm', 'confirm=true&confirm=true'])(
    'accepts only true and false: %s returns 400 on confirm',
    async (query) => {
      const issue = await anIssue(editor, project);
      await expectInvalidPaths(editor.delete(`${pathOf(issue)}?${query}`), 'confirm');
      expect(await read(editor, issue)).toEqual(issue);
    },
  );

  it('removes the issue with its links and comments, and unblocks its dependents', async () => {
    const issue = await anIssue(editor, project);
    const dependent = await anIssue(editor, project, { blockedByIssueId: issue.id });
    const related = await anIssue(editor, project);
    await aLink(editor, related, issue, 'RelatedTo');
    await aComment(editor, issue);
    expect(await remove(editor, issue)).toMatchObject({ status: 204, text: '' });
    await expectRefused(editor.get(pathOf(issue)), 404, 'not_found');
    await expectRefused(remove(editor, issue), 404, 'not_found');
    expect(await read(editor, dependent)).toMatchObject({ status: 'Open', links: [] });
    expect((await read(editor, related)).links).toEqual([]);
    const left = await service.sql('SELECT 1 FROM comments WHERE issue_id = $1', [issue.id]);
    expect(left).toEqual([]);
  });

  it('never gives the number of the issue to another one', async () => {
    const issue = await anIssue(editor, project);
    await expectSuccess(remove(editor, issue));
    expect((await anIssue(editor, project)).key).not.toBe(issue.key);
  });
});
