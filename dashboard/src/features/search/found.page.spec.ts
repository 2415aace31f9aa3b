import { describe, expect, it } from 'vitest';
import type { FoundIssue } from '../../api/lists';
import type { Agent, Label, Project, Server } from '../../api/types';
import type { Action } from '../../keyboard/use-actions';
import { type Findable, found } from './found';

const command = (name: string, group: Action['group'] = 'Go to'): Action => ({
  id: name,
  name,
  icon: 'more',
  group,
  perform: () => undefined,
});
const issue = (key: string, title: string): FoundIssue => ({
  id: key,
  key,
  title,
  status: 'Open',
  assignee: null,
});
const pay = { id: 'p', key: 'PAY', name: 'Payments' } as Project;
const all: Findable = {
  actions: [
    command('Next issue', 'This screen'),
    command('Move PAY-7 to another status', 'Issue'),
    command('Halt all agents', 'Agents'),
    command('New issue', 'Create'),
  ],
  agents: [{ id: 'a', name: 'ember' } as Agent, { id: 'b', name: 'halter' } as Agent],
  servers: [{ id: 's', name: 'Slack' } as Server],
  projects: [pay, { id: 'd', key: 'DOCS', name: 'Documents' } as Project],
  labels: [{ id: 'l', name: 'Refunds' } as Label],
  issues: null,
  issuesBefore: [],
  project: pay,
};
const ids = (query: string, more: Partial<Findable> = {}) =>
  found(query, { ...all, ...more }).map(({ id }) => id);

describe('the palette', () => {
  it('offers commands, the keys of the screen last, before anything is typed', () => {
    expect(found(' ', all).map(({ id, group }) => [id, group])).toEqual([
      ['action-Move PAY-7 to another status', 'Issue'],
      ['action-Halt all agents', 'Agents'],
      ['action-New issue', 'Create'],
      ['action-Next issue', 'This screen'],
    ]);
  });

  it('has the halt first for its name, before agents and issues', () => {
    const issues = [issue('PAY-1', 'Halt on errors')];
    expect(ids('halt', { issues, project: null })).toEqual([
      'action-Halt all agents',
      'agent-b',
      'issue-PAY-1',
    ]);
  });

  it('has commands that match only a part of a word last, and none before the issues have come', () => {
    expect(ids('gents')).toEqual([]);
    expect(ids('gents', { issues: [issue('DOCS-1', 'Reagents')] })).toEqual([
      'issue-DOCS-1',
      'action-Halt all agents',
    ]);
  });

  it('has agents, servers and projects by name, and projects by key', () => {
    expect(ids('emb')).toEqual(['agent-a']);
    expect(ids('sla')).toEqual(['server-s']);
    expect(ids('docs')).toEqual(['project-d']);
  });

  it('has the labels of the project that the person is in', () => {
    expect(ids('refu')).toEqual(['label-l']);
    expect(ids('refu', { project: null })).toEqual([]);
  });

  it('has the issue of a key first, before anyone knows whether it exists, and under the same id after', () => {
    expect(found('pay-7', all)).toEqual([{ kind: 'key', id: 'issue-PAY-7', group: 'Issue', key: 'PAY-7' }]);
    const issues = [issue('PAY-9', 'Copies PAY-7'), issue('PAY-7', 'Seven')];
    expect(found('pay-7', { ...all, issues })[0]).toMatchObject({ kind: 'issue', id: 'issue-PAY-7' });
    expect(ids('pay-7', { issues }).filter((id) => id === 'issue-PAY-7')).toHaveLength(1);
    expect(ids('pay-70', { issues: [] })).toEqual([]);
  });

  it('takes a number for an issue of the project that the person is in', () => {
    expect(ids('7')).toContain('issue-PAY-7');
    expect(ids('7', { project: null })).not.toContain('issue-PAY-7');
  });

  it('keeps of the last answer only what matches what is typed now', () => {
    const issuesBefore = [
      issue('PAY-1', 'Card vault'),
      issue('PAY-2', 'Card reader'),
      issue('PAY-3', 'Discard'),
    ];
    expect(ids('card v', { issuesBefore, project: null })).toEqual(['issue-PAY-1']);
    expect(ids('card v', { issuesBefore, issues: [issue('DOCS-8', 'Vault of cards')] })).toEqual([
      'issue-DOCS-8',
    ]);
  });

  it('leads to the whole list of the project where an issue of it matches', () => {
    const issues = [issue('PAY-1', 'One'), issue('DOCS-2', 'Two')];
    expect(found('w', { ...all, issues }).find(({ kind }) => kind === 'all')).toMatchObject({
      query: 'w',
      project: pay,
    });
    expect(ids('w', { issues, project: null })).not.toContain('all');
    expect(ids('w', { issues: issues.slice(1) })).not.toContain('all');
  });
});
