import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  aComment,
  aGoal,
  aLink,
  anIssue,
  aProject,
  type Issue,
  type Project,
} from '../../../support/builders.js';
import type { Answer } from '../../../support/answer.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor } from '../../../support/callers.js';
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

const etag = (version: number) => ({ 'if-match': `"${version}"` });

describe('the version of an issue', () => {
  it('starts at 1 and is the ETag of every response with one issue', async () => {
    const made = await editor.post<Issue>(`/api/projects/${project.id}/issues`, { title: 'One' });
    expect(made.body.version).toBe(1);
    expect(made.headers['etag']).toBe('"1"');
    expect((await editor.get(pathOf(made.body))).headers['etag']).toBe('"1"');
    const changed = await put(editor, made.body, { title: 'Two' });
    expect(changed.headers['etag']).toBe(`"${String(changed.body['version'])}"`);
    expect(changed.body['version']).toBe(2);
  });

  it('grows with each change of its own fields', async () => {
    const agent = await asAgent(service);
    const goal = await aGoal(editor, project);
    const issue = await anIssue(editor, project);
    const changes: Record<string, unknown>[] = [
      { title: 'Other' },
      { description: 'More' },
      { priority: 'high' },
      { assignedAgentId: agent.id },
      { assigneeUserId: editor.id },
      { goalId: goal.id },
      { status: 'InProgress' },
      { assignee: null },
      { goalId: null },
    ];
    let { version } = issue;
    for (const change of changes) {
      const changed = (await expectSuccess(put(editor, issue, change))) as unknown as Issue;
      expect(changed.version).toBeGreaterThan(version);
      version = changed.version;
    }
    await expectSuccess(act(editor, issue, 'pause'));
    const paused = (await read(editor, issue)).version;
    expect(paused).toBeGreaterThan(version);
    await aLink(editor, issue, await anIssue(editor, project), 'BlockedBy');
    expect((await read(editor, issue)).version).toBeGreaterThan(paused);
  });

  it('does not grow with a PUT that changes nothing, a comment, a link that moves nothing, or a lease', async () => {
    const agent = await asAgent(service);
    const issue = await anIssueIn(editor, project, 'InProgress', {
      assignedAgentId: agent.id,
      priority: 'low',
    });
    await expectSuccess(
      put(editor, issue, {
        title: issue.title,
        priority: 'low',
        assignedAgentId: agent.id,
        status: 'InProgress',
      }),
    );
    await expectSuccess(put(editor, issue, {}));
    await aComment(editor, issue);
    await aLink(editor, issue, await anIssue(editor, project), 'RelatedTo');
    await aLink(editor, issue, await anIssue(editor, project), 'Blocks');
    const beat = await agent.post<{ pickedUp: { issue: Issue; lease: { token: number } }[] }>(
      '/api/agents/me/heartbeat',
      {},
    );
    expect(beat.body.pickedUp.map((given) => given.issue.id)).toEqual([issue.id]);
    const { token } = beat.body.pickedUp[0]!.lease;
    await expectSuccess(agent.post('/api/agents/me/heartbeat', { leases: [{ issueId: issue.id, token }] }));
    const after = await read(editor, issue);
    expect(after).toMatchObject({ version: issue.version, updatedAt: issue.updatedAt });
    expect(after.lease).toEqual({ expiresAt: expect.any(String) });
  });
});

describe('If-Match', () => {
  const CHANGES: Record<string, (issue: Issue, headers: Record<string, string>) => Promise<Answer>> = {
    PUT: (issue, headers) => put(editor, issue, { title: 'Changed' }, headers),
    close: (issue, headers) => act(editor, issue, 'close', headers),
    pause: (issue, headers) => act(editor, issue, 'pause', headers),
    resume: (issue, headers) => act(editor, issue, 'resume', headers),
    DELETE: (issue, headers) => remove(editor, issue, headers),
  };
  const subject = (change: string) =>
    anIssueIn(editor, project, change === 'resume' ? 'paused' : 'InProgress');

  it.each(Object.keys(CHANGES))('rejects %s with 412 when stale and changes nothing', async (change) => {
    const issue = await subject(change);
    const changed = (await expectSuccess(put(editor, issue, { title: 'Meanwhile' }))) as unknown as Issue;
    for (const stale of [
      etag(issue.version),
      etag(99),
      { 'if-match': `"7", "${issue.version}"` },
      { 'if-match': `W/"${changed.version}"` },
    ])
      await expectRefused(CHANGES[change]!(issue, stale), 412, 'version_mismatch');
    expect(await read(editor, issue)).toEqual(changed);
  });

  it.each(Object.keys(CHANGES))('lets %s pass when it is current, is in a list, or is *', async (change) => {
    const spellings = [
      (version: number) => `"${version}"`,
      (version: number) => `"0", "${version}"`,
      () => '*',
    ];
    for (const spelling of spellings) {
      const issue = await subject(change);
      expect((await CHANGES[change]!(issue, { 'if-match': spelling(issue.version) })).status).toBeLessThan(
        300,
      );
    }
  });

  it.each(Object.keys(CHANGES))('rejects %s with 400 when it is not an entity tag', async (change) => {
    const issue = await subject(change);
    for (const header of ['1', '"1', '1"', 'abc'])
      await expectInvalidPaths(CHANGES[change]!(issue, { 'if-match': header }), 'If-Match');
    expect(await read(editor, issue)).toEqual(issue);
  });

  it('is checked before the state: a stale close with open dependents and a stale pause of an open issue return 412', async () => {
    const blocker = await anIssue(editor, project);
    await aLink(editor, blocker, await anIssue(editor, project));
    await expectRefused(act(editor, blocker, 'close', etag(77)), 412, 'version_mismatch');
    await expectRefused(act(editor, blocker, 'pause', etag(77)), 412, 'version_mismatch');
    await expectRefused(put(editor, blocker, { status: 'PendingReview' }, etag(77)), 412, 'version_mismatch');
  });

  it('lets one of many writers with the same version win', async () => {
    const issue = await anIssue(editor, project);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        put(editor, issue, { title: `Writer ${number}` }, etag(issue.version)),
      ),
    );
    const winners = answers.filter(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 11 }, () => 412),
    ]);
    expect((await read(editor, issue)).title).toBe(winners[0]!.body['title']);
  });

  it('has the effect of `version` in the body: a stale one returns 412, the current one passes, another type returns 400', async () => {
    const issue = await anIssue(editor, project);
    await expectSuccess(put(editor, issue, { title: 'New', version: 1 }));
    await expectRefused(put(editor, issue, { title: 'Newer', version: 1 }), 412, 'version_mismatch');
    for (const version of ['2', 2.5, null])
      await expectInvalidPaths(put(editor, issue, { title: 'Newer', version }), 'version');
    expect((await expectSuccess(put(editor, issue, { title: 'Newer', version: 2 }))).title).toBe('Newer');
  });

  it('does not extend to If-None-Match, which is ignored', async () => {
    const issue = await anIssue(editor, project);
    expect((await editor.get(pathOf(issue), { headers: { 'if-none-match': '"1"' } })).status).toBe(200);
    expect((await put(editor, issue, { title: 'New' }, { 'if-none-match': '*' })).status).toBe(200);
  });
});
