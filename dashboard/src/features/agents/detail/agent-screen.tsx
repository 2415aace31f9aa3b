import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import type { Agent } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { Button, IconButton } from '../../../parts/button';
import { Confirm } from '../../../parts/dialog';
import { Menu } from '../../../parts/menu';
import { Tabs, usePageTitle } from '../../../parts/page';
import { Ink } from '../../../parts/status';
import { Ago } from '../../../parts/time';
import { announce, announceRefusal } from '../../../parts/toasts';
import { Avatar } from '../../../parts/who';
import { hasRole, useMe } from '../../../session/me';
import { type AgentFields, AgentForm, useAgentFields } from '../create-agent';
import { agentState } from '../queries';
import styles from './agent-screen.module.css';
import slots from './slots.module.css';

/** More slots than this are only counted. */
const DRAWN = 10;

/** How many issues an agent works on, of how many: a number, and a bar of slots while they are few. */
function Slots({ agent: { activeIssues, maxConcurrentIssues } }: { agent: Agent }) {
  return (
    <span className="row">
      {maxConcurrentIssues <= DRAWN && (
        <span className={slots.slots} aria-hidden="true">
          {Array.from({ length: maxConcurrentIssues }, (_, slot) => (
            <i key={slot} className={slot < activeIssues ? slots.taken : undefined} />
          ))}
        </span>
      )}
      <span>
        {activeIssues} of {maxConcurrentIssues}
      </span>
    </span>
  );
}

/** Saves an agent's name, description and capacity; a refusal is shown in the form. */
function useEditAgent({ id: agentId }: Agent) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AgentFields) =>
      bodyOf(api.PUT('/api/agents/{agentId}', { params: { path: { agentId } }, body })),
    onSuccess: async ({ name }) => {
      announce(`${name} is saved`);
      await client.invalidateQueries({ queryKey: keys.agents });
    },
  });
}

/** Disables an agent, or enables it again. */
function useSetDisabled({ id: agentId, name }: Agent) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (disabled: boolean) =>
      bodyOf(api.PUT('/api/agents/{agentId}', { params: { path: { agentId } }, body: { disabled } })),
    onSuccess: async (_, disabled) => {
      announce(disabled ? `${name} is disabled` : `${name} is enabled`);
      await client.invalidateQueries({ queryKey: keys.agents });
    },
    onError: (error) => announceRefusal(`${name} was not changed`, error),
  });
}

function useRetireAgent({ id: agentId, name }: Agent, onRetired: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/api/agents/{agentId}', { params: { path: { agentId } } }),
    onSuccess: async () => {
      announce(`${name} is retired`);
      onRetired();
      await client.invalidateQueries({ queryKey: keys.agents });
    },
  });
}

function EditAgent({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { name, description, maxConcurrentIssues } = agent;
  const { discard, ...form } = useAgentFields(agent.id, { name, description, maxConcurrentIssues });
  const close = () => {
    discard();
    onClose();
  };
  const edit = useEditAgent(agent);
  return (
    <AgentForm
      {...form}
      onClose={close}
      title={`Edit ${name}`}
      onSubmit={() => edit.mutate(form.fields, { onSuccess: close })}
      verb="Save"
      busy={edit.isPending}
      error={edit.error}
      refused="The agent was not saved"
    />
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
          { label: 'Today', to: '/agents/$id', params },
          { label: 'Now', to: '/agents/$id/now', params },
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
