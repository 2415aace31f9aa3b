import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { agentsQuery } from '../../../api/lists';
import { Button } from '../../../parts/button';
import { Card, Rows } from '../../../parts/card';
import { Empty, ProblemNotice } from '../../../parts/notice';
import { announce } from '../../../parts/toasts';
import { Tag } from '../../../parts/status';
import { Who } from '../../../parts/who';
import { saveAccess, useServerRefresh } from '../../../shared/mcp/queries';
import { Loaded } from '../../../parts/skeleton';
import styles from './wizard.module.css';

/** Chooses the agents that get all tools of the new server. */
export function GrantStep({ id, onDone }: { id: string; onDone: () => void }) {
  const agents = useQuery(agentsQuery);
  const refresh = useServerRefresh();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const grant = useMutation({
    mutationFn: () =>
      saveAccess(
        id,
        chosen.map((agentId) => ({ agentId, granted: true, tools: null })),
      ),
    onSuccess: async () => {
      await refresh();
      announce(chosen.length === 1 ? '1 agent has the server' : `${chosen.length} agents have the server`);
      onDone();
    },
  });
  const toggle = (agentId: string, on: boolean) =>
    setChosen(on ? [...chosen, agentId] : chosen.filter((other) => other !== agentId));
  return (
    <Card
      title="Agents that get all its tools"
      flush
      footer={
        <>
          {chosen.length > 0 && (
            <Button look="primary" busy={grant.isPending} onClick={() => grant.mutate()}>
              {chosen.length === 1 ? 'Grant to 1 agent' : `Grant to ${chosen.length} agents`}
            </Button>
          )}
          <Button onClick={onDone}>{chosen.length === 0 ? 'Grant to no agent for now' : 'Cancel'}</Button>
          <span className="soft small">Single tools are chosen under Access.</span>
        </>
      }
    >
      {grant.isError && <ProblemNotice title="No agent got the server" error={grant.error} />}
      <Loaded query={agents} what="The agents">
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="agent" title="No agents yet">
              An agent is a program of yours that asks for work. Once there is one, grant the server under
              Access.
            </Empty>
          ) : (
            <Rows label="Agents">
              {rows.map(({ id: agentId, name, disabled }) => (
                <li key={agentId}>
                  <label className={styles.choice}>
                    <input
                      type="checkbox"
                      checked={chosen.includes(agentId)}
                      onChange={(event) => toggle(agentId, event.target.checked)}
                    />
                    <Who party={{ type: 'agent', name }} />
                    {disabled && <Tag icon="disabled">Disabled</Tag>}
                  </label>
                </li>
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Card>
  );
}
