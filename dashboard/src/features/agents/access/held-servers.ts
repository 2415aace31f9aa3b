import type { AgentAccess, AgentTool } from '../../../api/types';

/** A server that an agent has, by a grant, by profiles or both, or that it is refused. */
export interface HeldServer {
  access: AgentAccess;
  /** The tools that the server lists. */
  tools: readonly AgentTool[];
  /** How many of them it may use by its grant and its profiles; null before the first listing. */
  held: number | null;
  profiles: readonly string[];
  credentialSet: string;
}

/** The servers of an agent, in the order of their installation. */
export function heldServers(access: readonly AgentAccess[], tools: readonly AgentTool[]): HeldServer[] {
  return access.flatMap((row) => {
    const own = tools.filter(({ serverId }) => serverId === row.serverId);
    const profiles = own[0]?.profiles ?? [];
    if (!row.granted && !row.refused && profiles.length === 0) return [];
    return [
      {
        access: row,
        tools: own,
        held: own.length === 0 ? null : own.filter(isHeld).length,
        profiles,
        credentialSet: own[0]?.credentialSet ?? row.credentialSet,
      },
    ];
  });
}

/** A tool that is switched off for the moment is held all the same. */
const isHeld = ({ reason }: AgentTool): boolean => reason !== 'not_granted' && reason !== 'tool_not_granted';
