import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent, AgentTool } from '../../../api/types';
import { useFilterField } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Choice } from '../../../parts/field';
import { inputClass } from '../../../parts/field';
import { Empty, Loaded } from '../../../parts/notice';
import { FilterBar } from '../../../parts/page';
import { Pill } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { agentToolsQuery } from '../queries';
import styles from './tools-tab.module.css';

type Reason = NonNullable<AgentTool['reason']>;

const reasons: Record<Reason, (server: string) => string> = {
  not_granted: (server) => `${server} is not granted to this agent.`,
  tool_not_granted: () => 'Not one of the tools that this agent is granted.',
  server_disabled: (server) => `${server} is disabled.`,
  sign_in_needed: (server) => `An admin has to sign in to ${server} again with its credentials.`,
  server_error: (server) => `${server} is in error; verify it to see why.`,
  credentials_revoked: (server) =>
    `Its credentials for ${server} were revoked. Enter new ones or grant others.`,
  credentials_error: (server) => `${server} crashed too often with its credentials. Enter new ones.`,
  tool_changed: (server) =>
    `It changed since it was approved, or was removed. Compare and approve it under ${server}.`,
  tool_invalid: (server) => `Its definition is invalid; ${server} lists why.`,
  agent_disabled: () => 'The agent is disabled.',
  halted: () => 'All agents are halted.',
};

/** Why an agent has a tool or not, in words. */
export function toolReason({
  reason,
  serverName,
  ask,
  source,
  profiles,
}: Pick<AgentTool, 'reason' | 'serverName' | 'ask' | 'source' | 'profiles'>): string {
  if (reason !== null) return reasons[reason](serverName);
  const how = source === 'profile' ? ` by ${listOf(profiles)}` : '';
  return `Granted with ${serverName}${how}${ask ? '; a person approves each call.' : '.'}`;
}

const listOf = (profiles: readonly string[]): string =>
  `the ${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.join(', ')}`;

/** Which tools a filter keeps; all of them without one. */
export interface ToolFilter {
  q?: string | undefined;
  show?: 'has' | 'has-not' | undefined;
}

export function filterTools(tools: readonly AgentTool[], { q = '', show }: ToolFilter): readonly AgentTool[] {
  const words = q.toLowerCase().split(/\s+/u).filter(Boolean);
  return tools.filter(({ advertisedName, serverName, allowed }) => {
    if (show !== undefined && allowed !== (show === 'has')) return false;
    const text = `${advertisedName} ${serverName}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function ToolTable({ tools }: { tools: readonly AgentTool[] }) {
  return (
    <Table label="Tools" columns={['Name', 'Server', 'Now', 'Why']}>
      {tools.map((tool) => (
        <tr key={`${tool.serverId} ${tool.name}`}>
          <td>
            <code>{tool.advertisedName}</code>
          </td>
          <td data-label="Server" className="soft">
            {tool.serverName}
          </td>
          <td data-label="Now">
            {tool.allowed && tool.ask ? (
              <Pill tone="waiting" icon="user">
                Asks first
              </Pill>
            ) : tool.allowed ? (
              <Pill tone="resolved" icon="resolved">
                Has it
              </Pill>
            ) : (
              <Pill tone="disabled" icon="disabled">
                Does not have it
              </Pill>
            )}
          </td>
          <td data-label="Why" className="soft">
            {toolReason(tool)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const SHOWN_AT_FIRST = 100;

interface ToolsTabProps {
  agent: Agent;
  filter: ToolFilter;
  onFilter: (filter: ToolFilter) => void;
}

/** Every tool of every installed server, and why the agent has it or not. */
export function ToolsTab({ agent, filter, onFilter }: ToolsTabProps) {
  const tools = useQuery(agentToolsQuery(agent.id));
  return (
    <Loaded query={tools} what="Its tools">
      {(all) =>
        all.length === 0 ? (
          <Empty icon="tool" title="No server has tools yet">
            {agent.name} has only the platform’s own tools. Install a server from the catalogue and grant it.
          </Empty>
        ) : (
          <>
            <Filters filter={filter} onFilter={onFilter} tools={all} />
            <FoundTools found={filterTools(all, filter)} onClear={() => onFilter({})} />
          </>
        )
      }
    </Loaded>
  );
}

function Filters({
  filter,
  onFilter,
  tools,
}: Omit<ToolsTabProps, 'agent'> & { tools: readonly AgentTool[] }) {
  const field = useFilterField('Find a tool or server');
  const held = tools.filter(({ allowed }) => allowed).length;
  return (
    <FilterBar end={`Has ${held} of ${tools.length}, and the platform’s own`}>
      <input
        className={`${inputClass} ${styles.find}`}
        type="search"
        {...field}
        aria-label="Find a tool or server"
        placeholder="Find a tool or server"
        defaultValue={filter.q ?? ''}
        onChange={(event) => onFilter({ ...filter, q: event.target.value || undefined })}
      />
      <Choice
        label="Whether it has them"
        any="All tools"
        value={filter.show}
        options={[
          ['has', 'Has'],
          ['has-not', 'Does not have'],
        ]}
        onChange={(show) => onFilter({ ...filter, show })}
      />
    </FilterBar>
  );
}

function FoundTools({ found, onClear }: { found: readonly AgentTool[]; onClear: () => void }) {
  const [all, setAll] = useState(false);
  if (found.length === 0)
    return (
      <Empty
        icon="filter"
        title="Nothing matches"
        actions={<Button onClick={onClear}>Clear the filter</Button>}
      >
        No tool of an installed server matches the filter.
      </Empty>
    );
  const more = !all && found.length > SHOWN_AT_FIRST;
  return (
    <Card
      title="Tools"
      count={found.length}
      flush
      {...(more && { footer: <Button onClick={() => setAll(true)}>Show all {found.length} tools</Button> })}
    >
      <ToolTable tools={more ? found.slice(0, SHOWN_AT_FIRST) : found} />
    </Card>
  );
}
