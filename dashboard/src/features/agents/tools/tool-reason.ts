import type { AgentTool } from '../../../api/types';

type Reason = NonNullable<AgentTool['reason']>;

const reasons: Record<Reason, (server: string) => string> = {
  not_granted: (server) => `${server} is not granted to this agent.`,
  tool_not_granted: () => 'Not one of the tools that this agent is granted.',
  server_disabled: (server) => `${server} is disabled.`,
  sign_in_needed: (server) => `An admin has to sign in to ${server} again with its credentials.`,
  server_error: (server) => `${server} is in error; verify it to see why.`,
  credentials_revoked: (server) =>
    `Its credentials for ${server} were revoked. Enter new ones or grant others.`,
  credentials_error: (server) => `${server} crashed too often with its credentials. Enter new ones.`,
  tool_changed: (server) => `It changed since it was approved. Compare and approve it under ${server}.`,
  tool_invalid: (server) => `Its definition is invalid; ${server} lists why.`,
  agent_disabled: () => 'The agent is disabled.',
  halted: () => 'All agents are halted.',
};

/** Why an agent has a tool or not, in words. */
export function toolReason({
  reason,
  serverName,
  ask,
  source,
  profiles,
}: Pick<AgentTool, 'reason' | 'serverName' | 'ask' | 'source' | 'profiles'>): string {
  if (reason !== null) return reasons[reason](serverName);
  const how = source === 'profile' ? ` by ${listOf(profiles)}` : '';
  return `Granted with ${serverName}${how}${ask ? '; a person approves each call.' : '.'}`;
}

const listOf = (profiles: readonly string[]): string =>
  `the ${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.join(', ')}`;

/** Which tools a filter keeps; all of them without one. */
export interface ToolFilter {
  q?: string | undefined;
  show?: 'has' | 'has-not' | undefined;
}

export function filterTools(tools: readonly AgentTool[], { q = '', show }: ToolFilter): readonly AgentTool[] {
  const words = q.toLowerCase().split(/\s+/u).filter(Boolean);
  return tools.filter(({ advertisedName, serverName, allowed }) => {
    if (show !== undefined && allowed !== (show === 'has')) return false;
    const text = `${advertisedName} ${serverName}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
