import type { ReactNode } from 'react';
import type { Agent } from '../../../api/types';
import { Ink } from '../../../parts/status';
import { usePageTitle } from '../../../parts/page';
import { Tabs } from '../../../parts/tabs';
import { Ago } from '../../../parts/time';
import { Avatar } from '../../../parts/who';
import { useMe } from '../../../session/me';
import { hasRole } from '../../../session/roles';
import { agentState } from '../agent-state';
import { Slots } from '../list/slots';
import { AgentActions } from './agent-actions';
import styles from './agent-screen.module.css';

/** One agent: how it is and what can be done with it, above the tab that is open. */
export function AgentScreen({ agent, children }: { agent: Agent; children: ReactNode }) {
  usePageTitle(agent.name);
  const params = { id: agent.id };
  return (
    <>
      <AgentHead agent={agent} />
      <Tabs
        label={agent.name}
        tabs={[
          { label: 'Now', to: '/agents/$id', params },
          { label: 'Tools', to: '/agents/$id/tools', params },
          { label: 'Access', to: '/agents/$id/access', params },
          { label: 'Calls', to: '/agents/$id/calls', params },
          { label: 'Usage', to: '/agents/$id/usage', params },
          { label: 'Keys', to: '/agents/$id/keys', params },
          { label: 'Connect', to: '/agents/$id/connect', params },
        ]}
      />
      {children}
    </>
  );
}

function AgentHead({ agent }: { agent: Agent }) {
  const { name, description, lastHeartbeatAt } = agent;
  const { word, tone, icon, reason } = agentState(agent);
  const admin = hasRole(useMe(), 'Admin');
  return (
    <div className={styles.hero}>
      <Avatar party={{ type: 'agent', name }} large />
      <div>
        <h1>{name}</h1>
        <div className={styles.facts}>
          <span className={styles.state}>
            <Ink tone={tone} icon={icon} />
            <span>
              <b>{word}.</b> {reason}
            </span>
          </span>
          <Slots agent={agent} />
          {lastHeartbeatAt !== null && word !== 'Silent' && (
            <span>
              Last heartbeat <Ago iso={lastHeartbeatAt} />
            </span>
          )}
        </div>
        {description !== '' && <p className={styles.description}>{description}</p>}
      </div>
      {admin && <AgentActions agent={agent} />}
    </div>
  );
}
