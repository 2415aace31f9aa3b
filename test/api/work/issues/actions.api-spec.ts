import { beforeAll, describe, expect, it } from '@jest/globals';
import { aComment, aLink, anIssue, aProject, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { act, anIssueIn, must, pathOf, put, read, refused, refusedPaths, remove } from './issue-acts.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

describe('closing', () => {
  it.each(['Open', 'paused', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved'] as const)(
    'an issue that is %s, with nothing open that it blocks, is 204',
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

  it('a closed issue is 204 and changes nothing, also where dependents are open', async () => {
    const blocker = await anIssueIn(editor, project, 'Closed');
    await aLink(editor, blocker, await anIssue(editor, project));
    const before = await read(editor, blocker);
    for (const spelling of ['close', 'close?force=false', 'close?force=true'])
      expect((await act(editor, blocker, spelling)).status).toBe(204);
    expect(await read(editor, blocker)).toEqual(before);
  });

  it.each(['Open', 'InProgress', 'PendingReview', 'WaitingOnDependency'] as const)(
    'with a dependent that is %s is refused without force, by POST and by PUT, and names it',
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
        const refusal = await refused(attempt, 409, 'open_dependents');
        const { id, key, title } = dependent;
        expect(refusal['dependents']).toEqual([{ id, key, title, status }]);
        expect(refusal['detail']).toMatch(/force/);
      }
      expect(await read(editor, blocker)).toEqual(before);
    },
  );

  it('with force closes all the same and releases what waited', async () => {
    const blocker = await anIssue(editor, project);
    const dependent = await anIssue(editor, project, { blockedByIssueId: blocker.id });
    expect((await act(editor, blocker, 'close?force=true')).status).toBe(204);
    expect((await read(editor, blocker)).status).toBe('Closed');
    expect((await read(editor, dependent)).status).toBe('Open');
  });

  it('with dependents that are Resolved or Closed needs no force', async () => {
    const blocker = await anIssue(editor, project);
    for (const status of ['Resolved', 'Closed'] as const) {
      const dependent = await anIssue(editor, project, { blockedByIssueId: blocker.id });
      await must(put(editor, dependent, { status }));
    }
    expect((await act(editor, blocker, 'close')).status).toBe(204);
  });

  it('looks only at what the issue blocks, not at what blocks it or is related', async () => {
    const issue = await anIssueIn(editor, project, 'WaitingOnDependency');
    await aLink(editor, issue, await anIssue(editor, project), 'RelatedTo');
    await aLink(editor, issue, await anIssue(editor, project), 'DuplicateOf');
    expect((await act(editor, issue, 'close')).status).toBe(204);
  });

  it.each(['force=TRUE', 'force=1', 'force=yes', 'force=', 'force', 'force=true&force=true'])(
    'takes exactly true or false: %s is 400 on force',
    async (query) => {
      const issue = await anIssue(editor, project);
      await refusedPaths(act(editor, issue, `close?${query}`), 'force');
      expect((await read(editor, issue)).status).toBe('Open');
    },
  );

  it('takes no body or an empty one, and no unknown parameter', async () => {
    const issue = await anIssue(editor, project);
    await refusedPaths(act(editor, issue, 'close?forced=true'), 'forced');
    await refusedPaths(act(editor, issue, 'close?force[a]=true'), 'force[a]');
    await refusedPaths(editor.post(`${pathOf(issue)}/close`, { force: true }), 'force');
    expect((await read(editor, issue)).status).toBe('Open');
    expect((await editor.post(`${pathOf(issue)}/close`, {})).status).toBe(204);
  });
});

describe('pausing', () => {
  it('an issue in progress opens it, paused', async () => {
    const issue = await anIssueIn(editor, project, 'InProgress');
    expect(await act(editor, issue, 'pause')).toMatchObject({ status: 204, text: '' });
    expect(await read(editor, issue)).toMatchObject({
      status: 'Open',
      paused: true,
      version: issue.version + 1,
    });
  });

  it('a paused issue is 204 and changes nothing, also while it waits', async () => {
    const issue = await anIssueIn(editor, project, 'paused');
    expect((await act(editor, issue, 'pause')).status).toBe(204);
    expect(await read(editor, issue)).toEqual(issue);
    await aLink(editor, issue, await anIssue(editor, project), 'BlockedBy');
    expect((await act(editor, issue, 'pause')).status).toBe(204);
  });

  it.each(['Open', 'WaitingOnDependency', 'PendingReview', 'Resolved', 'Closed'] as const)(
    'an issue that is %s and not paused is 409',
    async (status) => {
      const issue = await anIssueIn(editor, project, status);
      expect(await refused(act(editor, issue, 'pause'), 409, 'invalid_transition')).toMatchObject({
        from: status,
      });
      expect(await read(editor, issue)).toEqual(issue);
    },
  );

  it.each(['Resolved', 'Closed'] as const)('ends with %s for good', async (status) => {
    const issue = await anIssueIn(editor, project, 'paused');
    await must(put(editor, issue, { status }));
    expect((await read(editor, issue)).paused).toBe(false);
    expect(await must(put(editor, issue, { status: 'Open' }))).toMatchObject({
      status: 'Open',
      paused: false,
    });
  });
});

describe('resuming', () => {
  it('a paused issue puts it in progress, not paused', async () => {
    const issue = await anIssueIn(editor, project, 'paused');
    expect(await act(editor, issue, 'resume')).toMatchObject({ status: 204, text: '' });
    expect(await read(editor, issue)).toMatchObject({ status: 'InProgress', paused: false });
  });

  it.each(['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved', 'Closed'] as const)(
    'an issue that is %s and not paused is 409',
    async (status) => {
      const issue = await anIssueIn(editor, project, status);
      await refused(act(editor, issue, 'resume'), 409, 'invalid_transition');
      expect(await read(editor, issue)).toEqual(issue);
    },
  );

  it('paused work that waits is 409 until it is unblocked', async () => {
    const issue = await anIssueIn(editor, project, 'paused');
    const { id } = await aLink(editor, issue, await anIssue(editor, project), 'BlockedBy');
    const refusal = await refused(act(editor, issue, 'resume'), 409, 'invalid_transition');
    expect(refusal['detail']).toMatch(/waits/);
    await must(editor.delete(`/api/projects/links/${id}`));
    expect((await act(editor, issue, 'resume')).status).toBe(204);
  });

  it('is the only way on for paused work: PUT InProgress is 409 and says so', async () => {
    const issue = await anIssueIn(editor, project, 'paused');
    const refusal = await refused(put(editor, issue, { status: 'InProgress' }), 409, 'invalid_transition');
    expect(refusal['detail']).toMatch(/resume/);
  });
});

describe('deleting', () => {
  it.each(['', '?confirm=false'])(
    'without confirm=true (%j) is 400 confirmation_required and deletes nothing',
    async (query) => {
      const issue = await anIssue(editor, project);
      await refused(editor.delete(pathOf(issue) + query), 400, 'confirmation_required');
      expect(await read(editor, issue)).toEqual(issue);
    },
  );

  it.each(['confirm=TRUE', 'confirm=1', 'confirm=', 'confirm', 'confirm=true&confirm=true'])(
    'takes exactly true or false: %s is 400 on confirm',
    async (query) => {
      const issue = await anIssue(editor, project);
      await refusedPaths(editor.delete(`${pathOf(issue)}?${query}`), 'confirm');
      expect(await read(editor, issue)).toEqual(issue);
    },
  );

  it('removes the issue, its links and comments, and releases what it blocked', async () => {
    const issue = await anIssue(editor, project);
    const dependent = await anIssue(editor, project, { blockedByIssueId: issue.id });
    const related = await anIssue(editor, project);
    await aLink(editor, related, issue, 'RelatedTo');
    await aComment(editor, issue);
    expect(await remove(editor, issue)).toMatchObject({ status: 204, text: '' });
    await refused(editor.get(pathOf(issue)), 404, 'not_found');
    await refused(remove(editor, issue), 404, 'not_found');
    expect(await read(editor, dependent)).toMatchObject({ status: 'Open', links: [] });
    expect((await read(editor, related)).links).toEqual([]);
    const left = await service.sql('SELECT 1 FROM comments WHERE issue_id = $1', [issue.id]);
    expect(left).toEqual([]);
  });

  it('does not give its number to another issue', async () => {
    const issue = await anIssue(editor, project);
    await must(remove(editor, issue));
    expect((await anIssue(editor, project)).key).not.toBe(issue.key);
  });
});
