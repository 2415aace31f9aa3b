import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent, AgentTool } from '../../../api/types';
import { useFilterField } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Choice } from '../../../parts/choice';
import { Empty, ProblemNotice } from '../../../parts/notice';
import { inputClass } from '../../../parts/field';
import { FilterBar } from '../../../parts/page';
import { Skeleton } from '../../../parts/skeleton';
import { Pill } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { agentToolsQuery } from '../queries';
import { filterTools, type ToolFilter, toolReason } from './tool-reason';
import styles from './tools-tab.module.css';

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
  if (tools.isPending) return <Skeleton rows={4} label="Loading tools" />;
  if (tools.isLoadingError)
    return (
      <ProblemNotice
        title="Its tools cannot be shown"
        error={tools.error}
        onRetry={() => void tools.refetch()}
      />
    );
  if (tools.data.length === 0)
    return (
      <Empty icon="tool" title="No server has tools yet">
        {agent.name} has only the platform’s own tools. Install a server from the catalogue and grant it.
      </Empty>
    );
  return (
    <>
      <Filters filter={filter} onFilter={onFilter} tools={tools.data} />
      <FoundTools found={filterTools(tools.data, filter)} onClear={() => onFilter({})} />
    </>
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
