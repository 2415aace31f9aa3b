import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServerTool } from '../../../api/types';
import { Card } from '../../../parts/card';
import { Empty } from '../../../parts/empty';
import { inputClass } from '../../../parts/field';
import { FilterBar } from '../../../parts/page';
import { Loaded } from '../../../parts/loaded';
import { toolsQuery } from '../../../shared/mcp/queries';
import { ApprovalCard } from './approval-card';
import { ToolRow } from './tool-row';
import { matching, withheld } from './tool-states';
import styles from './tools.module.css';

/** A server's tools: those that wait for an approval first, then all the others. */
export function ToolsTab({ id }: { id: string }) {
  const tools = useQuery(toolsQuery(id));
  return (
    <Loaded query={tools} what="The tools">
      {(all) => (all.length === 0 ? <NoTools /> : <Tools id={id} tools={all} />)}
    </Loaded>
  );
}

function Tools({ id, tools }: { id: string; tools: readonly ServerTool[] }) {
  const [search, setSearch] = useState('');
  const waiting = withheld(tools);
  const others = tools.filter((tool) => !waiting.includes(tool));
  const shown = matching(others, search);
  return (
    <div className="stack">
      {waiting.length > 0 && <ApprovalCard id={id} tools={waiting} />}
      {others.length > 0 && (
        <div>
          <FilterBar end={`${shown.length} of ${others.length}`}>
            <input
              className={`${inputClass} ${styles.find}`}
              type="search"
              aria-label="Search tools"
              placeholder="Search tools"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </FilterBar>
          <Card title="Tools" count={others.length} flush>
            {shown.length === 0 ? (
              <Empty icon="filter" title="Nothing matches">
                No tool of this server has these words in its name or description.
              </Empty>
            ) : (
              <ul>
                {shown.map((tool) => (
                  <ToolRow key={tool.name} tool={tool} />
                ))}
              </ul>
            )}
          </Card>
        </div>
      )}
    </div>
  );
}

function NoTools() {
  return (
    <Empty icon="tool" title="No tools listed yet">
      Tools are listed and approved as they are at the first verification. Verify the server to see them.
    </Empty>
  );
}
