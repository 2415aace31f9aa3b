import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import { asAgent } from '../../support/callers.js';
import type { Caller } from '../../support/caller.js';
import { useService } from '../../support/service.js';
import type { Loose } from '../../support/wire.js';
import { clientKinds, closeClients, connect, type AgentClient } from './mcp-clients.js';

const service = useService();
afterEach(closeClients);

describe.each(clientKinds)("the platform's own tools, with %s", (kind) => {
  let project: Project;
  let agent: Caller;
  let client: AgentClient;
  beforeEach(async () => {
    project = await aProject(service.owner);
    agent = await asAgent(service);
    client = await connect(agent, kind);
  });
  const issue = (fields: object = {}) =>
    anIssue(service.owner, project, { assignedAgentId: agent.id, ...fields });
  const read = async (which: Issue) =>
    (await service.owner.get<Issue>(`/api/projects/issues/${which.id}`)).body;
  const ask = async (tool: string, given: Record<string, unknown> = {}): Promise<Loose> => {
    const { isError, structuredContent, text } = await client.call(`platform__${tool}`, given);
    expect(isError).toBeUndefined();
    const result = JSON.parse(text) as Loose;
    expect(structuredContent).toEqual(result);
    return result;
  };
  const refused = async (tool: string, given: Record<string, unknown> = {}) => {
    const { isError, structuredContent, text } = await client.call(`platform__${tool}`, given);
    expect(isError).toBe(true);
    expect(JSON.parse(text)).toEqual(structuredContent);
    return String(structuredContent?.code);
  };

  it('let an agent that uses only MCP take an issue, comment on it, finish it, and unblock its dependents', async () => {
    const first = await issue({ title: 'Dig', description: 'Deep.' });
    const second = await issue({ title: 'Plant' });
    await aLink(service.owner, first, second);
    const taken = await ask('next_issue');
    expect(taken).toMatchObject({
      issue: { id: first.id, title: 'Dig', description: 'Deep.', status: 'InProgress' },
      comments: [],
    });

    const { comment } = await ask('add_comment', { issueId: first.key, content: 'It is deep.' });
    expect(comment).toMatchObject({ content: 'It is deep.', authorType: 'Agent', author: { id: agent.id } });
    expect((await ask('next_issue')).issue).toBeNull();
    const leaseToken = taken.leaseToken as unknown as number;
    const done = await ask('update_issue', { issueId: first.id, leaseToken, status: 'Resolved' });
    expect(done.issue).toMatchObject({ status: 'Resolved', lease: null });

    expect((await read(second)).status).toBe('Open');
    expect((await ask('next_issue')).issue).toMatchObject({ id: second.id, status: 'InProgress' });
  });

  it('take null for optional arguments as if they were absent', async () => {
    const { id } = await issue({ title: 'Dig', description: 'Deep.' });
    const nothing = { q: null, cursor: null, limit: null, projectId: null, status: null };
    expect(await ask('list_issues', nothing)).toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ id })]),
    });
    const changed = await ask('update_issue', {
      issueId: id,
      description: null,
      title: null,
      leaseToken: null,
    });
    expect(changed.issue).toMatchObject({ title: 'Dig', description: '' });
    expect(await refused('add_comment', { issueId: id, content: null })).toBe('validation_failed');
  });

  it('return new comments of people with the heartbeat, which takes no further work', async () => {
    const mine = await issue();
    const { leaseToken } = await ask('next_issue');
    await issue();
    await service.owner.post(`/api/projects/issues/${mine.id}/comments`, { content: 'Hurry.' });
    const beat = await ask('heartbeat', { leases: [{ issueId: mine.id, token: leaseToken }] });
    expect(beat).toMatchObject({
      pickedUp: [],
      stop: [],
      active: [{ issueId: mine.id, newComments: [{ content: 'Hurry.' }] }],
    });
    expect((await ask('heartbeat', { capacity: 1 })).pickedUp).toHaveLength(1);
  });

  it('return the work to stop with the heartbeat', async () => {
    const mine = await issue();
    const { leaseToken } = await ask('next_issue');
    await service.owner.post(`/api/projects/issues/${mine.id}/pause`);
    const { stop } = await ask('heartbeat', { leases: [{ issueId: mine.id, token: leaseToken }] });
    expect(stop).toEqual([{ issueId: mine.id, reason: 'paused' }]);
  });

  it('read an issue with its links and comments, and list the issues of the agent', async () => {
    const mine = await issue({ title: 'Read me' });
    await anIssue(service.owner, project);
    await service.owner.post(`/api/projects/issues/${mine.id}/comments`, { content: 'Context.' });
    expect(await ask('get_issue', { issueId: mine.key })).toMatchObject({
      issue: { id: mine.id, links: [] },
      comments: [{ content: 'Context.' }],
    });
    const { issues, nextCursor } = await ask('my_issues', { status: ['Open'] });
    expect((issues as unknown as Issue[]).map(({ id }) => id)).toEqual([mine.id]);
    expect(nextCursor).toBeNull();
  });

  it('list the issues of the agent page by page', async () => {
    const made = [await issue(), await issue(), await issue()];
    const first = await ask('my_issues', { limit: 2 });
    const rest = await ask('my_issues', { limit: 2, cursor: first.nextCursor });
    const ids = [...(first.issues as unknown as Issue[]), ...(rest.issues as unknown as Issue[])].map(
      ({ id }) => id,
    );
    expect(ids.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    expect(rest.nextCursor).toBeNull();
  });

  it('return at most 40,000 characters, the token first, and the rest page by page', async () => {
    const mine = await issue({ description: 'd"'.repeat(5_000) });
    const texts = Array.from({ length: 6 }, (_, n) => `${n}${'"c'.repeat(6_000)}`);
    for (const content of texts)
      await service.owner.post(`/api/projects/issues/${mine.id}/comments`, { content });
    const short = async (tool: string, given: Record<string, unknown> = {}) => {
      const result = await ask(tool, given);
      expect(JSON.stringify(result).length).toBeLessThanOrEqual(40_000);
      return result;
    };
    const taken = await short('next_issue');
    expect(Object.keys(taken).slice(0, 3)).toEqual(['key', 'id', 'leaseToken']);
    expect(taken).toMatchObject({ key: mine.key, leaseToken: 1, issue: { description: 'd"'.repeat(5_000) } });
    const shown = (result: Loose) =>
      (result.comments as unknown as { content: string }[]).map(({ content }) => content);
    let all = shown(taken);
    expect(all.at(-1)).toBe(texts.at(-1));
    for (let { more } = taken; more;) {
      const next = await short('get_issue', { issueId: mine.id, commentsCursor: more.commentsCursor });
      all = [...shown(next), ...all];
      ({ more } = next);
    }
    expect(all.join('')).toHaveLength(texts.join('').length);
    expect(all[0]).toMatch(/^0/);
    expect(await refused('get_issue', { issueId: mine.id, commentsCursor: 'x' })).toBe('validation_failed');
    expect(await refused('get_issue', { issueId: mine.id, descriptionOffset: -1 })).toBe('validation_failed');
  });

  it('list at most 40,000 characters of issues, and the rest with the cursor', async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, n) => issue({ title: `${n} ${'"t'.repeat(245)}` })),
    );
    for (const [tool, given] of [
      ['my_issues', {}],
      ['list_issues', { projectId: project.key, sort: 'priority' }],
    ] as const) {
      const seen: string[] = [];
      let cursor: unknown;
      do {
        const page = await ask(tool, { ...given, ...(cursor !== undefined && { cursor }) });
        expect(JSON.stringify(page).length).toBeLessThanOrEqual(40_000);
        seen.push(...(page.issues as unknown as Issue[]).map(({ id }) => id));
        cursor = page.nextCursor as unknown;
      } while (cursor !== null);
      expect(seen.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    }
  });

  it('create an issue and make the present one wait for it', async () => {
    const mine = await issue();
    const { leaseToken } = await ask('next_issue');
    const { issue: made } = await ask('create_issue', {
      projectId: project.key,
      title: 'First this',
      assignedAgentId: agent.id,
      priority: 'high',
    });
    expect(made).toMatchObject({
      title: 'First this',
      priority: 'high',
      createdBy: { type: 'agent', id: agent.id },
    });
    const { link } = await ask('link_issues', {
      issueId: mine.id,
      targetIssueId: made?.id,
      linkType: 'BlockedBy',
    });
    expect(link).toMatchObject({ linkType: 'BlockedBy', direction: 'incoming' });
    expect((await read(mine)).status).toBe('WaitingOnDependency');
    const { stop } = await ask('heartbeat', { leases: [{ issueId: mine.id, token: leaseToken }] });
    expect(stop).toEqual([{ issueId: mine.id, reason: 'waiting' }]);
  });

  it('return the errors of the HTTP routes, with the codes of the contract', async () => {
    const mine = await issue();
    await ask('next_issue');
    expect(await refused('update_issue', { issueId: mine.id, status: 'Resolved' })).toBe(
      'lease_token_required',
    );
    expect(await refused('update_issue', { issueId: mine.id, leaseToken: 0, status: 'Resolved' })).toBe(
      'lease_lost',
    );
    expect(await refused('update_issue', { issueId: mine.id, assignedAgentId: null })).toBe('forbidden');
    expect(
      await refused('update_issue', { issueId: (await anIssue(service.owner, project)).id, title: 'x' }),
    ).toBe('not_yours');
    expect(await refused('get_issue', { issueId: 'NOPE-1' })).toBe('not_found');
    expect(
      await refused('link_issues', { issueId: mine.id, targetIssueId: mine.id, linkType: 'Blocks' }),
    ).toBe('validation_failed');
    expect(await refused('link_issues', { issueId: mine.id, targetIssueId: mine.id, linkType: 'Eats' })).toBe(
      'validation_failed',
    );
  });

  it.each([
    ['next_issue', { capacity: 2 }],
    ['heartbeat', { capacity: -1 }],
    ['heartbeat', { leases: [{ issueId: 'x' }] }],
    ['my_issues', { status: ['Done'] }],
    ['my_issues', { limit: 0 }],
    ['my_issues', { cursor: 'x' }],
    ['get_issue', {}],
    ['get_issue', { issueId: 7 }],
    ['create_issue', { title: 'no project' }],
    ['create_issue', { projectId: 'P', title: '' }],
    ['create_issue', { projectId: 'P', title: 'x', titel: 'y' }],
    ['update_issue', { status: 'Resolved' }],
    ['update_issue', { issueId: 'A-1', leaseToken: 'x' }],
    ['add_comment', { issueId: 'A-1', content: '' }],
  ])('reject invalid arguments: %s %p', async (tool, given) => {
    expect(await refused(tool, given)).toBe('validation_failed');
  });

  it('show nothing of a members-only project without the agent as member', async () => {
    const closed = await aProject(service.owner, { visibility: 'members' });
    const hidden = await anIssue(service.owner, closed);
    expect(await refused('get_issue', { issueId: hidden.key })).toBe('not_found');
    expect(await refused('create_issue', { projectId: closed.key, title: 'x' })).toBe('not_found');
    expect(await refused('add_comment', { issueId: hidden.id, content: 'x' })).toBe('not_found');
  });

  it('have schemas that a model can follow', async () => {
    const tools = (await client.tools()).filter(({ name }) => String(name).startsWith('platform__'));
    for (const { inputSchema, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(String(description).length).toBeGreaterThan(60);
    }
  });
});
