import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Agent } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { Button, IconButton } from '../../../parts/button';
import { Confirm } from '../../../parts/confirm';
import { Menu } from '../../../parts/menu';
import { useRetireAgent, useSetDisabled } from '../changes';
import styles from './agent-screen.module.css';
import { EditAgent } from './edit-agent';

/** What an Admin can do with an agent; the same list feeds the buttons, the menu and the command palette. */
export function AgentActions({ agent }: { agent: Agent }) {
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
