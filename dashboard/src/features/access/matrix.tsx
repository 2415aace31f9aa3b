import { useRef, useState, type KeyboardEvent } from 'react';
import type { AccessMatrix } from '../../api/types';
import { Tag } from '../../parts/status';
import { Who } from '../../parts/who';
import { ServerStatusPill } from '../../shared/mcp/server-status';
import { Cell } from './cell';
import type { Grant, Place } from './grants';
import styles from './matrix.module.css';
import { moved, type Position } from './moves';

interface MatrixProps extends Pick<AccessMatrix, 'agents' | 'servers'> {
  open: Place | null;
  grantAt: (place: Place) => Grant;
  isEdited: (place: Place) => boolean;
  onOpen: (place: Place) => void;
  onToggle: (place: Place) => void;
}

/** Agents by servers as a grid: one tab stop, arrow keys inside. Headers stay in sight. */
export function Matrix({ agents, servers, open, grantAt, isEdited, onOpen, onToggle }: MatrixProps) {
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<Position>({ row: 0, column: 0 });
  const stop = { row: Math.min(at.row, agents.length - 1), column: Math.min(at.column, servers.length - 1) };
  const onKeyDown = (event: KeyboardEvent) => {
    const place = { agentId: agents[stop.row]!.id, serverId: servers[stop.column]!.id };
    const next = moved(stop, event.key, event.ctrlKey, { rows: agents.length, columns: servers.length });
    if (next !== null) {
      setAt(next);
      table.current
        ?.querySelector<HTMLElement>(`[data-row="${next.row}"][data-column="${next.column}"]`)
        ?.focus();
    } else if (event.key === ' ') onToggle(place);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.scroll}>
      <table
        className={styles.matrix}
        role="grid"
        aria-label="Agents and servers"
        ref={table}
        onKeyDown={onKeyDown}
        // Firefox presses a button when Space is released.
        onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
      >
        <thead>
          <tr>
            <th scope="col">Agent</th>
            {servers.map((server) => (
              <ServerHead key={server.id} server={server} />
            ))}
          </tr>
        </thead>
        <tbody>
          {agents.map((agent, row) => (
            <tr key={agent.id}>
              <th scope="row">
                <div className={styles.agent}>
                  <Who party={{ type: 'agent', name: agent.name }} />
                  {agent.disabled && <Tag icon="disabled">Disabled</Tag>}
                </div>
              </th>
              {servers.map((server, column) => {
                const place = { agentId: agent.id, serverId: server.id };
                return (
                  <Cell
                    key={server.id}
                    agent={agent.name}
                    server={server}
                    position={{ row, column }}
                    grant={grantAt(place)}
                    edited={isEdited(place)}
                    open={open?.agentId === agent.id && open.serverId === server.id}
                    tabStop={stop.row === row && stop.column === column}
                    onFocus={() => setAt({ row, column })}
                    onOpen={() => onOpen(place)}
                  />
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ServerHead({ server: { name, status, tools } }: { server: AccessMatrix['servers'][number] }) {
  return (
    <th scope="col">
      <span className={styles.server}>{name}</span>
      {status === 'enabled' ? (
        <span className={styles.tools}>{tools === null ? 'not listed yet' : `${tools} tools`}</span>
      ) : (
        <ServerStatusPill status={status} />
      )}
    </th>
  );
}
