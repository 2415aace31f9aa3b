import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccessMatrix, ServerTool } from '../../api/types';
import { IconButton } from '../../parts/button';
import { Card, Rows } from '../../parts/card';
import { inputClass } from '../../parts/field';
import { Panel } from '../../parts/panel';
import { Tag } from '../../parts/status';
import { MarkedText } from '../../parts/marked-text';
import { Loaded } from '../../parts/loaded';
import { toolsQuery } from '../../shared/mcp/queries';
import styles from './access.module.css';
import type { Grant } from './grants';

interface ToolsPanelProps {
  agent: AccessMatrix['agents'][number];
  server: AccessMatrix['servers'][number];
  grant: Grant;
  onChange: (grant: Grant) => void;
  onClose: () => void;
}

/** How much of a server an agent has: nothing, all, or single tools. Changes are edits of the matrix, not saved yet. */
export function ToolsPanel({ agent, server, grant, onChange, onClose }: ToolsPanelProps) {
  const tools = useQuery(toolsQuery(server.id));
  const title = `${agent.name} and ${server.name}`;
  return (
    <Panel
      label={title}
      onClose={onClose}
      header={
        <>
          <h2 className="clip">{title}</h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </>
      }
    >
      <Loaded query={tools} what="The tools">
        {(all) => (
          <div className="stack">
            <HowMuch grant={grant} tools={offered(all, grant)} onChange={onChange} />
            {typeof grant !== 'string' && (
              <ToolChoice chosen={grant} tools={offered(all, grant)} onChange={onChange} />
            )}
            <p className="soft small">
              Nothing changes until you save. What is left out is refused at the next call.
            </p>
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

/** The tools that the server lists, and those that it lists no longer but the agent has. */
function offered(tools: readonly ServerTool[], grant: Grant): ServerTool[] {
  return tools.filter(
    ({ name, state }) => state !== 'removed' || (typeof grant !== 'string' && grant.includes(name)),
  );
}

function HowMuch({
  grant,
  tools,
  onChange,
}: {
  grant: Grant;
  tools: readonly ServerTool[];
  onChange: (grant: Grant) => void;
}) {
  const chosen = typeof grant === 'string' ? [] : grant;
  const choices = [
    { id: 'none', label: 'None', on: grant === 'none', next: 'none' as const },
    {
      id: 'all',
      label: 'All approved tools, also those that come later',
      on: grant === 'all',
      next: 'all' as const,
    },
    {
      id: 'some',
      label:
        typeof grant === 'string' ? 'Only some tools' : `Only these: ${chosen.length} of ${tools.length}`,
      on: typeof grant !== 'string',
      next: grant === 'all' ? tools.map(({ name }) => name) : chosen,
    },
  ];
  return (
    <fieldset className={styles.how}>
      <legend className="sr-only">How much the agent gets</legend>
      {choices.map(({ id, label, on, next }) => (
        <label key={id} className={styles.choice}>
          <input type="radio" name="how" checked={on} onChange={() => onChange(next)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function ToolChoice({
  chosen,
  tools,
  onChange,
}: {
  chosen: readonly string[];
  tools: readonly ServerTool[];
  onChange: (grant: Grant) => void;
}) {
  const [search, setSearch] = useState('');
  const shown = tools.filter(({ name, title }) =>
    `${name} ${title ?? ''}`.toLowerCase().includes(search.toLowerCase()),
  );
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...chosen, name] : chosen.filter((other) => other !== name));
  return (
    <>
      <input
        className={inputClass}
        type="search"
        aria-label="Search tools"
        placeholder="Search tools"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <Card title="Tools" count={shown.length} flush>
        <Rows label="Tools">
          {shown.map((tool) => (
            <li key={tool.name}>
              <label className={`${styles.choice} ${styles.tool}`}>
                <input
                  type="checkbox"
                  checked={chosen.includes(tool.name)}
                  onChange={(event) => toggle(tool.name, event.target.checked)}
                />
                <span>
                  <code>
                    <MarkedText text={tool.name} />
                  </code>
                  {tool.title && (
                    <span className="soft small clip">
                      <MarkedText text={tool.title} />
                    </span>
                  )}
                </span>
              </label>
              {tool.state !== 'approved' && <Tag tone="waiting">{tool.state}</Tag>}
            </li>
          ))}
        </Rows>
      </Card>
    </>
  );
}
