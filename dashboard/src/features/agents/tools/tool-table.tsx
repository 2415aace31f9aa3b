import type { AgentTool } from '../../../api/types';
import { Pill } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { toolReason } from './tool-reason';

export function ToolTable({ tools }: { tools: readonly AgentTool[] }) {
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
