import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent, AgentAccess, AgentTool } from '../../../api/types';
import { buttonClass } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Empty, Loaded } from '../../../parts/notice';
import { MarkedText } from '../../../parts/marked-text';
import { Tag } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { askWords, extentWords, sourceWords } from '../../../shared/mcp/effective-access';
import { agentAccessQuery, agentToolsQuery } from '../queries';

/** A server that an agent has, by a grant, by profiles or both, or that it is refused. */
interface HeldServer {
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

/** The servers of an agent: where each comes from, which calls a person approves, and how many tools it can use now. */
export function AccessTab({ agent }: { agent: Agent }) {
  const access = useQuery(agentAccessQuery(agent.id));
  const tools = useQuery(agentToolsQuery(agent.id)).data ?? [];
  const change = (
    <Link to="/access" search={{ q: agent.name }} className={buttonClass({ small: true })}>
      Change the access
    </Link>
  );
  return (
    <Loaded query={access} what="Its access">
      {(all) => {
        const held = heldServers(all, tools);
        if (held.length === 0)
          return (
            <Empty icon="access" title={`${agent.name} has no server`} actions={change}>
              It has the platform’s own tools, which need no grant.
              {all.length > 0 &&
                ` ${all.length === 1 ? '1 server is' : `${all.length} servers are`} installed.`}
            </Empty>
          );
        return (
          <Card title="Servers" count={held.length} actions={change} flush>
            <Table label="Servers" columns={['Server', 'Tools', 'Credentials', 'Approval', 'Usable now']}>
              {held.map((row) => (
                <Row key={row.access.serverId} agentId={agent.id} row={row} />
              ))}
            </Table>
          </Card>
        );
      }}
    </Loaded>
  );
}

function Row({
  agentId,
  row: { access, tools, held, profiles, credentialSet },
}: {
  agentId: string;
  row: HeldServer;
}) {
  const usable = tools.filter(({ allowed }) => allowed).length;
  const total = tools.length === 0 ? null : tools.length;
  return (
    <tr>
      <td>
        <Link to="/servers/$id" params={{ id: access.serverId }} className="link">
          <MarkedText text={access.serverName} />
        </Link>
      </td>
      <td data-label="Tools">
        {access.refused && !access.granted ? (
          <Tag tone="danger" icon="disabled">
            Refused
          </Tag>
        ) : (
          <span>
            {held === null || held === total
              ? extentWords(profiles.length > 0 ? null : access.tools, total)
              : `${held} of ${total} tools`}
            <span className="soft">, {sourceWords({ isGranted: access.granted, profiles })}</span>
          </span>
        )}
      </td>
      <td data-label="Credentials" className="soft">
        {credentialSet}
      </td>
      <td data-label="Approval" className="soft">
        {approvalWords(access, tools)}
      </td>
      <td data-label="Usable now">
        <Link
          to="/agents/$id/tools"
          params={{ id: agentId }}
          search={{ q: access.serverName }}
          className="link"
        >
          {total === null ? 'Not listed yet' : `${usable} of ${total}`}
        </Link>
      </td>
    </tr>
  );
}

/** What the grant says, or of how many tools a profile has calls approved. */
function approvalWords(
  { granted, ask, approverRole }: HeldServer['access'],
  tools: HeldServer['tools'],
): string {
  const words = granted ? askWords(ask, approverRole) : null;
  if (words !== null) return words;
  const asked = tools.filter((tool) => tool.ask).map(({ name }) => name);
  return asked.length === 0 ? 'No call needs one' : askWords(asked, 'Editor')!;
}
