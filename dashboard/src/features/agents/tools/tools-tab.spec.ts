import { describe, expect, it } from 'vitest';
import type { AgentTool } from '../../../api/types';
import { filterTools, toolReason } from './tools-tab';

const tool = (part: Partial<AgentTool>): AgentTool => ({
  name: 'search',
  advertisedName: 'notion__search',
  serverId: '1',
  serverName: 'Notion',
  allowed: true,
  reason: null,
  invalidReason: null,
  ask: false,
  source: 'grant',
  profiles: [],
  credentialSet: 'default',
  ...part,
});

describe('toolReason', () => {
  it('names the server in the reasons that concern all of it', () => {
    for (const reason of ['not_granted', 'server_disabled', 'server_error', 'tool_changed'] as const)
      expect(toolReason(tool({ reason }))).toContain('Notion');
  });

  it('stays on one line for the reason that most rows have', () => {
    expect(toolReason(tool({ reason: 'tool_not_granted' }))).toBe(
      'Not one of the tools that this agent is granted.',
    );
  });

  it('says that a tool that the agent has was granted', () => {
    expect(toolReason(tool({}))).toBe('Granted with Notion.');
    expect(toolReason(tool({ ask: true }))).toContain('a person approves each call');
  });

  it('names the profiles that give a tool, unless a grant does', () => {
    expect(toolReason(tool({ source: 'profile', profiles: ['Writers'] }))).toBe(
      'Granted with Notion by the profile Writers.',
    );
    expect(toolReason(tool({ source: 'profile', profiles: ['A', 'B'], ask: true }))).toBe(
      'Granted with Notion by the profiles A, B; a person approves each call.',
    );
    expect(toolReason(tool({ profiles: ['A'] }))).toBe('Granted with Notion.');
  });
});

describe('filterTools', () => {
  const tools = [
    tool({}),
    tool({ advertisedName: 'slack__post', serverName: 'Slack', allowed: false, reason: 'halted' }),
  ];
  it('keeps tools whose name or server holds every word', () => {
    expect(filterTools(tools, { q: 'SLACK po' })).toEqual([tools[1]]);
  });

  it('keeps only those that the agent has, or has not', () => {
    expect(filterTools(tools, { show: 'has' })).toEqual([tools[0]]);
    expect(filterTools(tools, { show: 'has-not' })).toEqual([tools[1]]);
  });
});
