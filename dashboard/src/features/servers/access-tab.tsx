import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AccessMatrix } from '../../api/types';
import { buttonClass } from '../../parts/button';
import { Card, Rows } from '../../parts/card';
import { Empty } from '../../parts/empty';
import { Tag } from '../../parts/status';
import { Who } from '../../parts/who';
import { Loaded } from '../../parts/loaded';
import { askWords, extentWords } from '../../shared/mcp/grant-words';
import { accessMatrixQuery } from '../../shared/mcp/queries';

type Cell = AccessMatrix['cells'][number];

/** The agents that have a server, and how much of it. */
export function AccessTab({ id }: { id: string }) {
  const matrix = useQuery(accessMatrixQuery);
  return (
    <Loaded query={matrix} what="The access">
      {({ agents, servers, cells }) => {
        const total = servers.find((server) => server.id === id)?.tools ?? null;
        const granted = cells.filter(({ serverId }) => serverId === id);
        const change = (
          <Link to="/access" search={{ server: id }} className={buttonClass({ small: true })}>
            Change the access
          </Link>
        );
        if (granted.length === 0)
          return (
            <Empty icon="access" title="No agent has this server" actions={change}>
              A new server is granted to no agent. Choose the agents that get its tools.
            </Empty>
          );
        return (
          <Card title="Agents with this server" count={granted.length} actions={change} flush>
            <Rows>
              {agents.flatMap((agent) => {
                const cell = granted.find(({ agentId }) => agentId === agent.id);
                if (cell === undefined) return [];
                return (
                  <li key={agent.id} className="row">
                    <Who party={{ type: 'agent', name: agent.name }} />
                    {agent.disabled && <Tag icon="disabled">Disabled</Tag>}
                    <span className="soft">{extentWords(cell.tools, total)}</span>
                    <Asks cell={cell} />
                  </li>
                );
              })}
            </Rows>
          </Card>
        );
      }}
    </Loaded>
  );
}

function Asks({ cell: { ask, approverRole } }: { cell: Cell }) {
  const words = askWords(ask, approverRole);
  return words && <Tag icon="user">{words}</Tag>;
}
