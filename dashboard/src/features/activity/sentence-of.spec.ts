import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AuditEntry, EventType } from '../../api/types';
import { listed, type Names, plain } from './sentence-parts';
import { sentenceOf } from './sentences';

const names: Names = {
  agent: (id) => (id === 'a1' ? 'Triage' : null),
  user: (id) => (id === 'u1' ? 'Ada Lovelace' : null),
  project: (id) => (id === 'p1' ? 'Payments' : null),
};

const entry = (type: EventType, part: Partial<AuditEntry> = {}): AuditEntry => ({
  id: '1',
  type,
  at: '2026-11-22T09:00:00Z',
  actor: { type: 'user', id: 'u1', name: 'Ada Lovelace' },
  subject: { type: 'issue', id: null, name: null },
  projectId: null,
  issueId: null,
  issueKey: null,
  data: {},
  requestId: null,
  origin: null,
  ...part,
});
const text = (...given: Parameters<typeof entry>) => plain(sentenceOf(entry(...given), names));

describe('sentenceOf', () => {
  it('has a sentence for every type of the API', () => {
    const document = JSON.parse(readFileSync('../docs/openapi.json', 'utf8')) as {
      components: { schemas: { EventType: { enum: EventType[] } } };
    };
    const unknown = document.components.schemas.EventType.enum.filter((type) =>
      text(type).startsWith('Did '),
    );
    expect(unknown).toEqual([]);
  });

  it('names both states of a move', () => {
    const moved = { issueKey: 'PAY-7', data: { old: 'Open', new: 'InProgress' } };
    expect(text('issue.status_changed', moved)).toBe('Moved PAY-7 from Open to In progress');
  });

  it('names the issue of every entry that has one', () => {
    const [about, gone] = [{ issueId: 'i1', issueKey: 'PAY-7' }, { issueId: 'i1' }];
    expect(text('issue.tools_called', about)).toBe('Called tools for PAY-7');
    expect(text('gate.opened', { ...about, data: { kind: 'question' } })).toBe('Opened a question on PAY-7');
    expect(text('gate.opened', { data: { kind: 'approval' } })).toBe('Opened a request for approval');
    expect(text('comment.created', gone)).toBe('Commented on an issue that was deleted');
  });

  it('names a new issue by its key and title, and one that was deleted by its title', () => {
    const data = { title: 'Rotate the keys' };
    expect(text('issue.created', { data, issueKey: 'PAY-7' })).toBe(
      'Created the issue PAY-7 Rotate the keys',
    );
    expect(text('issue.created', { data })).toBe('Created the issue Rotate the keys');
  });

  it('begins with a capital letter where a failed server was removed', () => {
    expect(text('mcp.server.failed', { data: { reason: 'It ended' } })).toBe(
      'A server went into error: It ended',
    );
  });

  it('names the agent that access was narrowed for', () => {
    const data = { entries: [{ agentId: 'a1', granted: true, tools: ['x', 'y'] }] };
    expect(text('mcp.access.changed', { data })).toBe('Narrowed Triage to 2 tools of a server');
    const subject = { type: 'server', id: 's1', name: 'GitHub' };
    expect(text('mcp.access.changed', { data, subject })).toBe('Narrowed Triage to 2 tools of GitHub');
  });

  it('names the owner of a key', () => {
    expect(text('key.created', { data: { name: 'staging', agentId: 'a1' } })).toBe(
      'Created the key staging of Triage',
    );
  });

  it('says which request was refused, and with which code', () => {
    const data = { method: 'PUT', path: '/api/agents/halt', code: 'forbidden' };
    expect(text('access.refused', { data })).toBe('Was refused PUT /api/agents/halt: forbidden');
  });

  it('says that sign-ins are throttled', () => {
    expect(text('login.failed', { data: { email: 'x@example.com', throttled: true } })).toBe(
      'Too many failed sign-ins for x@example.com',
    );
  });

  it('says the reason of a halt, and nothing where there is none', () => {
    expect(text('agent.halted', { data: { reason: 'Rotating keys' } })).toBe(
      'Halted all agents: Rotating keys',
    );
    expect(text('agent.halted', { data: { reason: null } })).toBe('Halted all agents');
  });

  it('names the type where the page does not know it', () => {
    expect(text('budget.raised' as EventType)).toBe('Did budget.raised');
  });
});

describe('listed', () => {
  it('counts what it does not name', () => {
    expect([listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c', 'd'])]).toEqual([
      'a',
      'a and b',
      'a, b and 2 more',
    ]);
  });
});
