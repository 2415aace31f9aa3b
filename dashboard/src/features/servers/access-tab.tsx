import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AccessMatrix } from '../../api/types';
import { buttonClass } from '../../parts/button';
import { Card, Rows } from '../../parts/card';
import { Empty, Loaded } from '../../parts/notice';
import { Tag } from '../../parts/status';
import { Who } from '../../parts/who';
import {
  type AccessIndex,
  askWords,
  type Effective,
  effectiveAccess,
  extentWords,
  indexOf,
  sourceWords,
} from '../../shared/mcp/effective-access';
import { accessMatrixQuery, profilesQuery } from '../../shared/mcp/queries';
import styles from './access-tab.module.css';

type Agent = AccessMatrix['agents'][number];

/** The agents that have a server, by a grant or a profile, and how much of it. */
export function AccessTab({ id }: { id: string }) {
  const matrix = useQuery(accessMatrixQuery);
  const profiles = useQuery(profilesQuery);
  return (
    <Loaded query={matrix} what="The access">
      {(data) => (
        <Loaded query={profiles} what="The profiles">
          {(all) => <Agents id={id} matrix={data} index={indexOf(data, all)} />}
        </Loaded>
      )}
    </Loaded>
  );
}

function Agents({ id, matrix, index }: { id: string; matrix: AccessMatrix; index: AccessIndex }) {
  const rows = useMemo(() => agentsWith(matrix, index, id), [matrix, index, id]);
  const total = matrix.servers.find((server) => server.id === id)?.tools ?? null;
  const change = (
    <Link to="/access" search={{ server: id }} className={buttonClass({ small: true })}>
      Change the access
    </Link>
  );
  if (rows.length === 0)
    return (
      <Empty icon="access" title="No agent has this server" actions={change}>
        A new server is granted to no agent. Choose the agents that get its tools.
      </Empty>
    );
  return (
    <Card title="Agents with this server" count={rows.length} actions={change} flush>
      <Rows>
        {rows.map(({ agent, access }) => (
          <li key={agent.id} className={styles.agent}>
            <Who party={{ type: 'agent', name: agent.name }} />
            {agent.disabled && <Tag icon="disabled">Disabled</Tag>}
            <span className="soft">
              {extentWords(access.tools, total)}, {sourceWords(access)}
            </span>
            <Asks access={access} />
            {access.credentialSet !== 'default' && (
              <Tag icon="shield">
                <span className="sr-only">Credential set </span>
                {access.credentialSet}
              </Tag>
            )}
          </li>
        ))}
      </Rows>
    </Card>
  );
}

function agentsWith(
  { agents }: AccessMatrix,
  index: AccessIndex,
  serverId: string,
): { agent: Agent; access: Effective }[] {
  return agents.flatMap((agent) => {
    const access = effectiveAccess(index, agent.id, serverId);
    return access === null ? [] : [{ agent, access }];
  });
}

function Asks({ access: { ask, approver } }: { access: Effective }) {
  const words = askWords(ask, approver);
  return words && <Tag icon="user">{words}</Tag>;
}
