import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aGoal, aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import type { Loose } from '../../support/wire.js';
import { anAttachment, file, type Attachment } from '../work/attachments.forms.js';
import { aLeaseHolder } from './lease-setting.js';
import { clientKinds, closeClients, connect, type AgentClient } from './mcp-clients.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PART = 64 * 1024;

const LIMIT = 2_000_000;

const service = useService({ settings: { ATTACHMENT_MAX_BYTES: String(LIMIT) } });
let project: Project;
let agent: Caller;
let client: AgentClient;
afterEach(closeClients);

async function ask(tool: string, given: Record<string, unknown> = {}, by = client): Promise<Loose> {
  const { isError, structuredContent, text } = await by.call(`platform__${tool}`, given);
  expect({ isError, text }).toEqual({ isError: undefined, text });
  expect(JSON.parse(text)).toEqual(structuredContent);
  return structuredContent!;
}
async function refused(tool: string, given: Record<string, unknown> = {}, by = client): Promise<Loose> {
  const { isError, structuredContent } = await by.call(`platform__${tool}`, given);
  expect(isError).toBe(true);
  return structuredContent!;
}
const issue = (fields: object = {}) =>
  anIssue(service.owner, project, { assignedAgentId: agent.id, ...fields });
const attachmentOf = (result: Loose) => result.attachment as unknown as Attachment;
const namesIn = (list: unknown) => (list as Attachment[]).map(({ filename }) => filename);
const idsIn = (list: unknown) => (list as Issue[]).map(({ id }) => id);

describe.each(clientKinds)('the tools of files, with %s', (kind) => {
  beforeEach(async () => {
    project = await aProject(service.owner);
    agent = await asAgent(service);
    client = await connect(agent, kind);
  });

  it('attach a text and other bytes, which people download unchanged', async () => {
    const { id, key } = await issue();
    const text = attachmentOf(
      await ask('add_attachment', {
        issueId: key,
        filename: '../report.md',
        contentType: 'text/markdown',
        text: 'Zoë',
      }),
    );
    expect(text).toMatchObject({
      issueId: id,
      filename: '..report.md',
      contentType: 'text/markdown',
      size: 4,
      uploadedBy: { type: 'agent', id: agent.id },
    });
    const bytes = attachmentOf(
      await ask('add_attachment', {
        issueId: id,
        filename: 'a.bin',
        base64: Buffer.from([0, 255]).toString('base64'),
      }),
    );
    expect(bytes).toMatchObject({ contentType: 'application/octet-stream', size: 2 });
    expect((await service.owner.get(text.downloadUrl)).text).toBe('Zoë');
    expect((await service.owner.get(bytes.downloadUrl)).bytes).toEqual(Buffer.from([0, 255]));
    expect(await ask('add_attachment', { issueId: id, filename: 'empty.txt', text: '' })).toMatchObject({
      attachment: { size: 0, contentType: 'text/plain' },
    });
    const { body } = await service.owner.get<Loose[]>(`/api/projects/issues/${id}/activity`);
    expect(body.filter(({ type }) => String(type) === 'attachment.created')).toHaveLength(3);
  });

  it('list the files of an issue page by page, and next_issue and get_issue name them', async () => {
    const mine = await issue();
    for (const filename of ['1', '2', '3']) await anAttachment(service.owner, mine, file('x', { filename }));
    const first = await ask('list_attachments', { issueId: mine.key, limit: 2 });
    expect(namesIn(first.attachments)).toEqual(['1', '2']);
    const rest = await ask('list_attachments', { issueId: mine.id, limit: 2, cursor: first.nextCursor });
    expect([namesIn(rest.attachments), rest.nextCursor]).toEqual([['3'], null]);
    expect(namesIn((await ask('next_issue')).attachments)).toEqual(['1', '2', '3']);
    expect(namesIn((await ask('get_issue', { issueId: mine.id })).attachments)).toEqual(['1', '2', '3']);
    expect((await ask('next_issue')).attachments).toEqual([]);
  });

  it('read a text in parts that cut no character', async () => {
    const mine = await issue();
    const whole = `${'a'.repeat(PART - 1)}€${'ü'.repeat(PART)}`;
    const { id: attachmentId } = await anAttachment(agent, mine, file(whole, { type: 'application/x-log' }));
    const parts: string[] = [];
    let offset: unknown = 0;
    while (offset !== null) {
      const part = await ask('read_attachment', { attachmentId, offset });
      parts.push(String(part.text));
      offset = part.nextOffset as unknown;
    }
    expect(parts.length).toBe(4);
    expect(parts.join('')).toBe(whole);
    for (const wrong of [PART, whole.length * 9])
      expect(await refused('read_attachment', { attachmentId, offset: wrong })).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: 'offset' }],
      });
  });

  it('read an empty text', async () => {
    const { id: attachmentId } = await anAttachment(agent, await issue(), file(''));
    expect(await ask('read_attachment', { attachmentId })).toMatchObject({ text: '', nextOffset: null });
  });

  it('show an image as an image, and refuse a larger one and bytes that are no text', async () => {
    const mine = await issue();
    const image = { filename: 'p.png', type: 'image/png' };
    const small = await anAttachment(agent, mine, file(PNG, image));
    const { raw, structuredContent } = await client.call('platform__read_attachment', {
      attachmentId: small.id,
    });
    expect(raw.content).toMatchObject([
      { type: 'text' },
      { type: 'image', mimeType: 'image/png', data: PNG.toString('base64') },
    ]);
    expect(structuredContent).toMatchObject({ attachment: { id: small.id }, text: null });
    const large = await anAttachment(
      agent,
      mine,
      file(Buffer.concat([PNG, Buffer.alloc(1024 * 1024)]), image),
    );
    const binary = await anAttachment(agent, mine, file(Buffer.from([1, 0, 2])));
    for (const { id: attachmentId } of [large, binary])
      expect(await refused('read_attachment', { attachmentId })).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: 'attachmentId' }],
      });
  });

  it('refuse a file that is larger than an upload may be, and keep nothing of it', async () => {
    const { id: issueId } = await issue();
    const text = 'x'.repeat(LIMIT + 1);
    expect((await refused('add_attachment', { issueId, filename: 'x', text })).code).toBe(
      'payload_too_large',
    );
    expect((await ask('list_attachments', { issueId })).attachments).toEqual([]);
  });

  it('refuse content that is missing or given twice, and files of projects that the agent does not see', async () => {
    const { id: issueId } = await issue();
    for (const content of [{}, { text: 'x', base64: 'eA==' }, { base64: '*' }])
      expect((await refused('add_attachment', { issueId, filename: 'x', ...content })).code).toBe(
        'validation_failed',
      );
    const hidden = await anIssue(service.owner, await aProject(service.owner, { visibility: 'members' }));
    const { id: attachmentId } = await anAttachment(service.owner, hidden);
    for (const [tool, given] of [
      ['list_attachments', { issueId: hidden.key }],
      ['add_attachment', { issueId: hidden.key, filename: 'x', text: 'x' }],
      ['read_attachment', { attachmentId }],
    ] as const)
      expect((await refused(tool, given)).code).toBe('not_found');
  });
});

describe.each(clientKinds)('the tools that search, unlink and read goals, with %s', (kind) => {
  beforeEach(async () => {
    project = await aProject(service.owner);
    agent = await asAgent(service);
    client = await connect(agent, kind);
  });

  it('search the issues of a project, with the filters of the lists', async () => {
    const word = `w${project.key.toLowerCase()}`;
    const goal = await aGoal(service.owner, project);
    const mine = await issue({ title: `Dig ${word}`, priority: 'high', goalId: goal.id });
    const other = await anIssue(service.owner, project, { description: `Also ${word}` });
    await anIssue(service.owner, project);
    const found = async (given: object) => idsIn((await ask('list_issues', { ...given })).issues).toSorted();
    expect(await found({ projectId: project.key, q: word })).toEqual([mine.id, other.id].toSorted());
    expect(await found({ q: word, assigneeId: 'me' })).toEqual([mine.id]);
    expect(await found({ q: word, assigneeId: 'none', status: ['Open'] })).toEqual([other.id]);
    expect(await found({ projectId: project.id, priority: 'high' })).toEqual([mine.id]);
    expect(await found({ goalId: goal.id })).toEqual([mine.id]);
    const first = await ask('list_issues', { projectId: project.id, limit: 2, sort: 'createdAt' });
    const rest = await ask('list_issues', {
      projectId: project.id,
      limit: 2,
      sort: 'createdAt',
      cursor: first.nextCursor,
    });
    expect([idsIn(first.issues), idsIn(rest.issues).length, rest.nextCursor]).toEqual([
      [mine.id, other.id],
      1,
      null,
    ]);
    expect(await ask('get_goal', { goalId: goal.id })).toMatchObject({
      goal: { id: goal.id, title: goal.title },
    });
  });

  it('list nothing of a members-only project, and refuse to name it', async () => {
    const closed = await aProject(service.owner, { visibility: 'members' });
    const goal = await aGoal(service.owner, closed);
    const word = `w${closed.key.toLowerCase()}`;
    await anIssue(service.owner, closed, { title: word });
    expect((await ask('list_issues', { q: word })).issues).toEqual([]);
    expect(await refused('list_issues', { projectId: closed.key })).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'projectId' }],
    });
    expect((await refused('get_goal', { goalId: goal.id })).code).toBe('not_found');
  });

  it('remove a link of the issue, which unblocks it, and no link of others', async () => {
    const [blocker, mine] = [await issue(), await issue()];
    const link = await aLink(service.owner, blocker, mine);
    const foreign = await aLink(service.owner, await issue(), await issue(), 'RelatedTo');
    expect((await refused('unlink_issues', { issueId: mine.key, linkId: foreign.id })).code).toBe(
      'not_found',
    );
    expect(await ask('unlink_issues', { issueId: mine.key, linkId: link.id })).toEqual({ linkId: link.id });
    const { body } = await service.owner.get<Issue>(`/api/projects/issues/${mine.id}`);
    expect(body).toMatchObject({ status: 'Open', links: [] });
    expect((await refused('unlink_issues', { issueId: mine.key, linkId: link.id })).code).toBe('not_found');
    const blocked = await anIssue(service.owner, project);
    const ours = await aLink(service.owner, mine, blocked);
    expect((await refused('unlink_issues', { issueId: blocked.id, linkId: ours.id })).code).toBe('forbidden');
  });
});

describe('the tools of files and links, with the key of a lease', () => {
  it('concern its issue alone, except for reading', async () => {
    const { agent: holder, caller, issue: own } = await aLeaseHolder(service);
    const where = await aProject(service.owner);
    const other = await anIssue(service.owner, where, { assignedAgentId: holder.id });
    const third = await anIssue(service.owner, where, { assignedAgentId: holder.id });
    const foreign = await aLink(holder, other, third, 'RelatedTo');
    const bound = await connect(caller, clientKinds[1]);
    expect(await ask('add_attachment', { filename: 'a', text: 'x' }, bound)).toMatchObject({
      attachment: { issueId: own.id },
    });
    expect(namesIn((await ask('list_attachments', {}, bound)).attachments)).toEqual(['a']);
    expect((await ask('list_attachments', { issueId: other.key }, bound)).attachments).toEqual([]);
    const given = { issueId: other.key, filename: 'a', text: 'x' };
    expect((await refused('add_attachment', given, bound)).code).toBe('forbidden');
    expect((await refused('unlink_issues', { linkId: foreign.id }, bound)).code).toBe('not_found');
    const { link } = await ask('link_issues', { targetIssueId: other.id, linkType: 'RelatedTo' }, bound);
    const { id: linkId } = link as unknown as { id: string };
    expect(await ask('unlink_issues', { linkId }, bound)).toEqual({ linkId });
  });
});
