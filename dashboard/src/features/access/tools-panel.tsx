import { useQuery } from '@tanstack/react-query';
import type { AccessMatrix, ServerTool } from '../../api/types';
import { IconButton } from '../../parts/button';
import { Loaded } from '../../parts/loaded';
import { Panel } from '../../parts/panel';
import { toolsQuery } from '../../shared/mcp/queries';
import { ApprovalChoice } from './approval-choice';
import { ExtentChoice } from './extent-choice';
import type { Grant } from './grants';
import { ToolChoices } from './tool-choices';

interface ToolsPanelProps {
  agent: AccessMatrix['agents'][number];
  server: AccessMatrix['servers'][number];
  grant: Grant;
  onChange: (grant: Grant) => void;
  onClose: () => void;
}

/** How much of a server an agent has, and which calls a person approves. Changes are edits of the matrix, not saved yet. */
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
        {(all) => {
          const choice = { grant, tools: offered(all, grant), onChange };
          return (
            <div className="stack">
              <ExtentChoice {...choice} />
              {grant.has !== 'none' && (
                <>
                  <ApprovalChoice {...choice} />
                  <ToolChoices {...choice} />
                </>
              )}
              <p className="soft small">
                Nothing changes until you save. What is left out is refused at the next call.
              </p>
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** The tools that the server lists, and those that it lists no longer but the agent has. */
function offered(tools: readonly ServerTool[], { has }: Grant): ServerTool[] {
  return tools.filter(
    ({ name, state }) => state !== 'removed' || (typeof has !== 'string' && has.includes(name)),
  );
}
