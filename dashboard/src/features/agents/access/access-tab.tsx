import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent, AgentAccess, AgentTool } from '../../../api/types';
import { buttonClass } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Empty } from '../../../parts/empty';
import { Loaded } from '../../../parts/loaded';
import { MarkedText } from '../../../parts/marked-text';
import { Table } from '../../../parts/table';
import { askWords, extentWords } from '../../../shared/mcp/grant-words';
import { agentAccessQuery, agentToolsQuery } from '../queries';

/** The servers that an agent is granted, which calls a person approves, and how many tools it can use now. */
export function AccessTab({ agent }: { agent: Agent }) {
  const access = useQuery(agentAccessQuery(agent.id));
  const tools = useQuery(agentToolsQuery(agent.id)).data ?? [];
  const change = (
    <Link to="/access" className={buttonClass({ small: true })}>
      Change the access
    </Link>
  );
  return (
    <Loaded query={access} what="Its access">
      {(all) => {
        const granted = all.filter((row) => row.granted);
        if (granted.length === 0)
          return (
            <Empty icon="access" title={`${agent.name} has no server`} actions={change}>
              It has the platform’s own tools, which need no grant.
              {all.length > 0 &&
                ` ${all.length === 1 ? '1 server is' : `${all.length} servers are`} installed.`}
            </Empty>
          );
        return (
          <Card title="Servers" count={granted.length} actions={change} flush>
            <Table label="Servers" columns={['Server', 'Granted', 'Approval', 'Usable now']}>
              {granted.map((row) => (
                <Row
                  key={row.serverId}
                  agentId={agent.id}
                  row={row}
                  tools={tools.filter(({ serverId }) => serverId === row.serverId)}
                />
              ))}
            </Table>
          </Card>
        );
      }}
    </Loaded>
  );
}

interface RowProps {
  agentId: string;
  row: AgentAccess;
  tools: readonly AgentTool[];
}

function Row({ agentId, row, tools }: RowProps) {
  const usable = tools.filter(({ allowed }) => allowed).length;
  const total = tools.length === 0 ? null : tools.length;
  return (
    <tr>
      <td>
        <Link to="/servers/$id" params={{ id: row.serverId }} className="link">
          <MarkedText text={row.serverName} />
        </Link>
      </td>
      <td data-label="Granted">{extentWords(row.tools, total)}</td>
      <td data-label="Approval" className="soft">
        {askWords(row.ask, row.approverRole) ?? 'No call needs one'}
      </td>
      <td data-label="Usable now">
        <Link to="/agents/$id/tools" params={{ id: agentId }} search={{ q: row.serverName }} className="link">
          {total === null ? 'Not listed yet' : `${usable} of ${total}`}
        </Link>
      </td>
    </tr>
  );
}
