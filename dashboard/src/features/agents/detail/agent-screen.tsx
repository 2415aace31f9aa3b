import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Agent } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { Button, IconButton } from '../../../parts/button';
import { Confirm, Dialog } from '../../../parts/dialog';
import { Menu } from '../../../parts/menu';
import { usePageTitle } from '../../../parts/page';
import { Ink } from '../../../parts/status';
import { Tabs } from '../../../parts/tabs';
import { Ago } from '../../../parts/time';
import { Avatar } from '../../../parts/who';
import { hasRole, useMe } from '../../../session/me';
import { AgentForm, useAgentFields } from '../create-agent';
import { agentState } from '../queries';
import { useEditAgent, useRetireAgent, useSetDisabled } from '../changes';
import { Slots } from '../list/slots';
import styles from './agent-screen.module.css';

function EditAgent({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { name, description, maxConcurrentIssues } = agent;
  const { discard, ...form } = useAgentFields(agent.id, { name, description, maxConcurrentIssues });
  const close = () => {
    discard();
    onClose();
  };
  const edit = useEditAgent(agent);
  return (
    <Dialog
      open
      onClose={close}
      title={`Edit ${name}`}
      onSubmit={() => edit.mutate(form.fields, { onSuccess: close })}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" type="submit" busy={edit.isPending}>
            Save
          </Button>
        </>
      }
    >
      <AgentForm {...form} error={edit.error} refused="The agent was not saved" />
    </Dialog>
  );
}

/** What an Admin can do with an agent; the same list feeds the buttons, the menu and the command palette. */
function AgentActions({ agent }: { agent: Agent }) {
  const [open, setOpen] = useState<'edit' | 'retire' | null>(null);
  const setDisabled = useSetDisabled(agent);
  const { name, disabled } = agent;
  const close = () => setOpen(null);
  const toggle = () => setDisabled.mutate(!disabled);
  useActions([
    {
      id: 'edit-agent',
      name: `Edit ${name}`,
      icon: 'settings',
      group: 'This screen',
      perform: () => setOpen('edit'),
    },
    {
      id: 'toggle-agent',
      name: disabled ? `Enable ${name}` : `Disable ${name}`,
      icon: disabled ? 'enabled' : 'disabled',
      group: 'This screen',
      perform: toggle,
    },
    {
      id: 'retire-agent',
      name: `Retire ${name}`,
      icon: 'closed',
      group: 'This screen',
      perform: () => setOpen('retire'),
    },
  ]);
  return (
    <div className={styles.actions}>
      <Button onClick={() => setOpen('edit')}>Edit</Button>
      <Button icon={disabled ? 'enabled' : 'disabled'} busy={setDisabled.isPending} onClick={toggle}>
        {disabled ? 'Enable' : 'Disable'}
      </Button>
      <Menu
        label="More actions"
        trigger={<IconButton icon="more" label="More actions" />}
        items={[
          { id: 'retire', label: 'Retire…', icon: 'closed', danger: true, onSelect: () => setOpen('retire') },
        ]}
      />
      {open === 'edit' && <EditAgent agent={agent} onClose={close} />}
      {open === 'retire' && <RetireAgent agent={agent} onClose={close} />}
    </div>
  );
}

function RetireAgent({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const navigate = useNavigate();
  const retire = useRetireAgent(agent, () => void navigate({ to: '/agents' }));
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Retire ${agent.name}?`}
      verb="Retire agent"
      onConfirm={() => retire.mutate()}
      busy={retire.isPending}
      error={retire.error}
    >
      <p>
        Its keys, its access and its leases end at once. Its name stays on what it did, and issues stay
        assigned to it until someone assigns them to another agent. This cannot be undone.
      </p>
    </Confirm>
  );
}

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
