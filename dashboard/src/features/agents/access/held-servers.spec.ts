import { describe, expect, it } from 'vitest';
import type { AgentAccess, AgentTool } from '../../../api/types';
import { heldServers } from './access-tab';

const access = (fields: Partial<AgentAccess>): AgentAccess => ({
  serverId: 's',
  serverName: 'Notion',
  granted: false,
  refused: false,
  tools: null,
  ask: null,
  approverRole: 'Editor',
  credentialSet: 'default',
  ...fields,
});
const tool = (fields: Partial<AgentTool>): AgentTool => ({
  name: 'search',
  advertisedName: 'notion__search',
  serverId: 's',
  serverName: 'Notion',
  allowed: true,
  reason: null,
  invalidReason: null,
  ask: false,
  source: 'profile',
  profiles: ['Writers'],
  credentialSet: 'team',
  ...fields,
});

describe('heldServers', () => {
  it('leaves out a server that the agent has from nowhere', () => {
    const none = tool({ profiles: [], source: null, reason: 'not_granted', allowed: false });
    expect(heldServers([access({})], [none])).toEqual([]);
  });

  it('has those of profiles, with the tools that they give and the set that is used', () => {
    const tools = [
      tool({}),
      tool({ reason: 'server_error', allowed: false }),
      tool({ reason: 'tool_not_granted', allowed: false }),
    ];
    expect(heldServers([access({})], tools)).toMatchObject([
      { held: 2, profiles: ['Writers'], credentialSet: 'team' },
    ]);
  });

  it('has those that are granted before their first listing, and those that are refused', () => {
    expect(
      heldServers([access({ granted: true }), access({ serverId: 't', refused: true })], []),
    ).toMatchObject([{ held: null, profiles: [] }, { access: { refused: true } }]);
  });
});
