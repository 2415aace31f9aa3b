import { useQuery } from '@tanstack/react-query';
import type { AccessMatrix, ServerTool } from '../../../api/types';
import { IconButton } from '../../../parts/button';
import { Loaded } from '../../../parts/loaded';
import { Panel } from '../../../parts/panel';
import type { Given } from '../../../shared/mcp/effective-access';
import { credentialSetsQuery, toolsQuery } from '../../../shared/mcp/queries';
import { effectOf, gives, type Grant } from '../grants';
import type { Row } from '../rows';
import { ApprovalChoice } from './approval-choice';
import { ExtentChoice } from './extent-choice';
import { SetChoice } from './set-choice';
import { Sources } from './sources';
import { ToolChoices } from './tool-choices';

interface AccessPanelProps {
  row: Row;
  server: AccessMatrix['servers'][number];
  grant: Grant;
  /** What profiles give an agent. */
  given: readonly Given[];
  onChange: (grant: Grant) => void;
  onClose: () => void;
}

/** How much of a server an agent or a profile has. Changes are edits of the matrix, not saved yet. */
export function AccessPanel({ row, server, grant, given, onChange, onClose }: AccessPanelProps) {
  const tools = useQuery(toolsQuery(server.id));
  const sets = useQuery(credentialSetsQuery(server.id)).data ?? [];
  const title = `${row.name} and ${server.name}`;
  return (
    <Panel
      label={title}
      onClose={onClose}
      header={
        <>
          <h2 className="clip" title={title}>
            {title}
          </h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </>
      }
    >
      <Loaded query={tools} what="The tools">
        {(all) => {
          const choice = { of: row.of, grant, given, tools: offered(all, grant), onChange };
          return (
            <div className="stack">
              {given.length > 0 && (
                <Sources grant={grant} given={given} effect={effectOf(grant, given)} total={server.tools} />
              )}
              <ExtentChoice {...choice} />
              {gives(grant) && (
                <>
                  {sets.length > 1 && <SetChoice grant={grant} sets={sets} onChange={onChange} />}
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
