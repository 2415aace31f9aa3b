import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CommentResponse } from '../../../src/work/comments/comment.dto.js';
import type { Answer } from '../../support/answer.js';
import { aComment, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asAdmin, asAgent, asEditor, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';
import { whileUncommitted } from './while-uncommitted.js';

type Comment = Wire<CommentResponse>;
const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';

const service = useService();
let editor: Caller;
let viewer: Caller;
let agent: Caller;
let project: Project;
let issue: Issue;
beforeAll(async () => {
  [editor, viewer, agent] = await Promise.all([asEditor(service), asViewer(service), asAgent(service)]);
  project = await aProject(editor);
  issue = await anIssue(editor, project);
});

const commentsOf = ({ id }: { id: string }) => `/api/projects/issues/${id}/comments`;
const pathOf = ({ id }: { id: string }) => `/api/projects/comments/${id}`;
const say = (caller: Caller, body: unknown, headers = {}) =>
  caller.post<Comment>(commentsOf(issue), body, { headers });
const codeOf = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer;
  return `${status} ${(JSON.parse(text) as { code: string }).code}`;
};

describe('writing a comment', () => {
  it('returns the comment, with its author by type, id and name', async () => {
    const { status, body, headers } = await say(editor, { content: 'Looks good.' });
    expect(status).toBe(201);
    expect(headers['location']).toBe(pathOf(body));
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      issueId: issue.id,
      content: 'Looks good.',
      authorType: 'User',
      author: { id: editor.id, name: editor.name },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
    });
    expect((await viewer.get<Comment[]>(commentsOf(issue))).body).toContainEqual(body);
  });

  it('by an agent has the author type Agent, by the key of the issue and by its id', async () => {
    const { status, body } = await agent.post<Comment>(`/api/projects/issues/${issue.key}/comments`, {
      content: 'Done.',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      authorType: 'Agent',
      author: { id: agent.id, name: agent.name },
      issueId: issue.id,
    });
  });

  it.each(['User', 'Agent', 'System'])(
    'as %s is accepted only from callers of that type',
    async (authorType) => {
      const user = await say(editor, { content: 'x', authorType });
      const byAgent = await say(agent, { content: 'x', authorType });
      expect(user.status).toBe(authorType === 'User' ? 201 : 403);
      expect(byAgent.status).toBe(authorType === 'Agent' ? 201 : 403);
      for (const { status, body } of [user, byAgent])
        if (status === 403) expect(body).toMatchObject({ code: 'author_type_mismatch' });
    },
  );

  it.each([
    ['white space at both ends', '  \n two words \t '],
    ['every plane of Unicode', 'Привет 👩🏽‍🚀 שלום \u{10FFFF} \u200B e\u0301 é'],
    ['control characters', '\u0001\u001b[31m\u007f\r\n'],
    ['markup and SQL', `<script>alert(1)</script>'; DROP TABLE comments;--`],
    ['a single character', 'x'],
    ['64 KiB exactly', '€'.repeat(21_845) + 'x'],
  ])('stores %s byte for byte', async (_, content) => {
    const { body } = await say(editor, { content });
    const found = (await viewer.get<Comment[]>(commentsOf(issue))).body.find(({ id }) => id === body.id);
    expect(found?.content).toBe(content);
  });

  it.each([
    ['without content', {}],
    ['of nothing', { content: '' }],
    ['over 64 KiB', { content: `${'€'.repeat(21_845)}xx` }],
    ['with a NUL', { content: 'a\0b' }],
    ['with half a surrogate pair', { content: 'a\ud800b' }],
    ['that is no text', { content: 7 }],
    ['that is null', { content: null }],
  ])('%s returns 400 on content', async (_, body) => {
    const answer = await editor.post<{ code: string; errors: { path: string }[] }>(commentsOf(issue), body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'content' }] });
  });

  it('with an unknown author type or field returns 400 and names it', async () => {
    for (const extra of [{ authorType: 'user' }, { authorType: null }, { author: 'me' }]) {
      const { status, body } = await editor.post<{ errors: { path: string }[] }>(commentsOf(issue), {
        content: 'x',
        ...extra,
      });
      expect(status).toBe(400);
      expect(body.errors.map(({ path }) => path)).toEqual(Object.keys(extra));
    }
  });

  it('requires a credential and the role Editor', async () => {
    expect(await codeOf(say(viewer, { content: 'x' }))).toBe('403 forbidden');
    expect(await codeOf(say(anonymous(service), { content: 'x' }))).toBe('401 unauthenticated');
  });

  it('on an issue that does not exist or that the caller cannot see returns 404', async () => {
    const closed = await aProject(await asAdmin(service), { visibility: 'members' });
    const hidden = await anIssue(service.owner, closed);
    for (const id of [UNKNOWN, 'nonsense', hidden.id, hidden.key])
      for (const caller of [editor, agent])
        expect(await codeOf(caller.post(commentsOf({ id }), { content: 'x' }))).toBe('404 not_found');
    expect((await viewer.get(commentsOf(hidden))).status).toBe(404);
  });

  it('twice with one Idempotency-Key creates one comment', async () => {
    const headers = { 'idempotency-key': `key-${Date.now()}` };
    const first = await say(editor, { content: 'once' }, headers);
    const second = await say(editor, { content: 'once' }, headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await codeOf(say(editor, { content: 'other' }, headers))).toBe('422 idempotency_key_reused');
  });
});

describe('the comments of an issue', () => {
  it('are listed oldest first, in pages that continue where the last one ended', async () => {
    const place = await anIssue(editor, project);
    for (const content of ['1', '2', '3', '4', '5']) await aComment(editor, place, content);
    const contents: string[] = [];
    let path: string | undefined = `${commentsOf(place)}?limit=2&count=true`;
    while (path) {
      const { body, headers }: Answer<Comment[]> = await viewer.get(path);
      contents.push(...body.map(({ content }) => content));
      expect(headers['x-total-count']).toBe('5');
      path = /^<(.*)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
    }
    expect(contents).toEqual(['1', '2', '3', '4', '5']);
  });

  it('are an empty list when there are none', async () => {
    expect((await agent.get(commentsOf(await anIssue(editor, project)))).body).toEqual([]);
  });

  it('are deleted with the issue', async () => {
    const place = await anIssue(editor, project);
    const comment = await aComment(editor, place);
    expect((await editor.delete(`/api/projects/issues/${place.id}?confirm=true`)).status).toBe(204);
    expect(await codeOf(editor.put(pathOf(comment), { content: 'x' }))).toBe('404 not_found');
  });
});

describe('changing a comment', () => {
  it('is allowed for its author, and keeps author and creation time', async () => {
    const { body: comment } = await say(agent, { content: 'before' });
    const { status, body } = await agent.put<Comment>(pathOf(comment), {
      content: 'after',
      authorType: 'Agent',
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ...comment, content: 'after', updatedAt: body.updatedAt });
    expect(body.updatedAt > comment.updatedAt).toBe(true);
    expect((await viewer.get<Comment[]>(commentsOf(issue))).body).toContainEqual(body);
  });

  it('by an Admin keeps its author', async () => {
    const { body: comment } = await say(agent, { content: 'before' });
    const { body } = await (await asAdmin(service)).put<Comment>(pathOf(comment), { content: 'after' });
    expect(body).toMatchObject({ content: 'after', authorType: 'Agent', author: { id: agent.id } });
  });

  it('is refused for everyone else, as is deleting', async () => {
    const { body: comment } = await say(editor, { content: 'mine' });
    const others = [await asEditor(service), viewer, agent];
    for (const other of others) {
      expect(await codeOf(other.put(pathOf(comment), { content: 'x' }))).toBe('403 forbidden');
      expect(await codeOf(other.delete(pathOf(comment)))).toBe('403 forbidden');
    }
    expect((await viewer.get<Comment[]>(commentsOf(issue))).body).toContainEqual(comment);
  });

  it('is allowed for Admins of a members-only project, and refused for its Editors', async () => {
    const place = await aProject(service.owner, { visibility: 'members' });
    const comment = await aComment(service.owner, await anIssue(service.owner, place));
    const [lead, member] = [await asEditor(service), await asEditor(service)];
    const entries = [
      { userId: lead.id, role: 'Admin' },
      { userId: member.id, role: 'Editor' },
    ];
    expect((await service.owner.put(`/api/projects/${place.id}/members`, { entries })).status).toBe(200);
    expect(await codeOf(editor.put(pathOf(comment), { content: 'x' }))).toBe('404 not_found');
    expect(await codeOf(member.put(pathOf(comment), { content: 'x' }))).toBe('403 forbidden');
    expect((await lead.put(pathOf(comment), { content: 'x' })).status).toBe(200);
  });

  it('to another author type is rejected', async () => {
    const { body: comment } = await say(editor, { content: 'mine' });
    expect(await codeOf(editor.put(pathOf(comment), { content: 'x', authorType: 'Agent' }))).toBe(
      '403 author_type_mismatch',
    );
  });

  it('returns 404 when it does not exist, and 400 for an invalid body', async () => {
    const { body: comment } = await say(editor, { content: 'mine' });
    expect(await codeOf(editor.put(pathOf({ id: UNKNOWN }), { content: 'x' }))).toBe('404 not_found');
    expect(await codeOf(editor.put(pathOf({ id: 'nonsense' }), { content: 'x' }))).toBe('404 not_found');
    expect(await codeOf(editor.put(pathOf(comment), { content: '' }))).toBe('400 validation_failed');
  });
});

describe('deleting a comment', () => {
  it('by its author or an Admin removes it, and returns 404 the second time', async () => {
    for (const who of [agent, await asAdmin(service)]) {
      const { body: comment } = await say(agent, { content: 'gone soon' });
      expect((await who.delete(pathOf(comment))).status).toBe(204);
      expect((await viewer.get<Comment[]>(commentsOf(issue))).body.map(({ id }) => id)).not.toContain(
        comment.id,
      );
      expect(await codeOf(who.delete(pathOf(comment)))).toBe('404 not_found');
    }
  });

  it('in two concurrent requests succeeds once', async () => {
    const { body: comment } = await say(editor, { content: 'gone soon' });
    const answers = await Promise.all([editor.delete(pathOf(comment)), editor.delete(pathOf(comment))]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  });
});

it('a comment on an issue that is being deleted returns 404', async () => {
  const place = await anIssue(editor, project);
  const write = () => editor.post(commentsOf(place), { content: 'x' });
  const answer = whileUncommitted(service, 'DELETE FROM issues WHERE id = $1', [place.id], write);
  expect(await codeOf(answer)).toBe('404 not_found');
});

it('concurrent comments on an issue that is being deleted are stored completely or rejected', async () => {
  const place = await anIssue(editor, project);
  const writing = Array.from({ length: 20 }, () => editor.post(commentsOf(place), { content: 'x' }));
  const [deleted, ...answers] = await Promise.all([
    editor.delete(`/api/projects/issues/${place.id}?confirm=true`),
    ...writing,
  ]);
  expect(deleted?.status).toBe(204);
  for (const { status } of answers) expect([201, 404]).toContain(status);
  expect(await service.sql('SELECT 1 FROM comments WHERE issue_id = $1', [place.id])).toEqual([]);
});
