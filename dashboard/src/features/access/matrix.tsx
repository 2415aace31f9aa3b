import { Fragment, useCallback, useRef, type KeyboardEvent } from 'react';
import type { AccessMatrix } from '../../api/types';
import type { AccessIndex } from '../../shared/mcp/effective-access';
import { ServerStatusPill } from '../../shared/mcp/server-status';
import type { Edits } from './edits';
import type { Place } from './grants';
import styles from './matrix.module.css';
import { MatrixRow } from './matrix-row';
import type { Position } from './moves';
import type { Row } from './rows';
import { useGrid } from './use-grid';

interface MatrixProps extends Pick<AccessMatrix, 'servers'> {
  rows: readonly Row[];
  index: AccessIndex;
  edits: Edits;
  open: Place | null;
  onOpen: (place: Place) => void;
  onToggle: (place: Place) => void;
  onProfile: (id: string) => void;
}

const HEAD_REM = 15;
const COLUMN_REM = 7.5;

/** Profiles and agents by servers as a grid. Headers stay in sight. */
export function Matrix({ rows, servers, index, edits, open, onOpen, onToggle, onProfile }: MatrixProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const firstOf = (row: number) => (rows[row]?.of === 'profile' ? -1 : 0);
  const size = { rows: rows.length, columns: servers.length, firstOf };
  const grid = useGrid(scroll, size, (row) => `${rows[row]!.of} ${rows[row]!.id}`);
  const { stop, setAt } = grid;
  const onFocus = useCallback((position: Position) => setAt(position), [setAt]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (grid.onKeyDown(event) || event.key !== ' ' || stop.column < 0) return;
    const { of, id } = rows[stop.row]!;
    onToggle({ of, id, serverId: servers[stop.column]!.id });
    event.preventDefault();
  };
  const items = grid.rows.getVirtualItems();
  const end = grid.rows.getTotalSize();
  return (
    <div className={styles.scroll} ref={scroll}>
      <table
        className={styles.matrix}
        style={{ minWidth: `${HEAD_REM + servers.length * COLUMN_REM}rem` }}
        role="grid"
        aria-label="Profiles, agents and servers"
        aria-rowcount={rows.length + 1}
        onKeyDown={onKeyDown}
        // Firefox presses a button when Space is released.
        onKeyUp={(event) => event.key === ' ' && stop.column >= 0 && event.preventDefault()}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{rows.some(({ of }) => of === 'profile') ? 'Profile or agent' : 'Agent'}</th>
            {servers.map((server) => (
              <ServerHead key={server.id} server={server} />
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, at) => {
            const row = rows[item.index]!;
            return (
              <Fragment key={item.key}>
                <Gap height={item.start - (items[at - 1]?.end ?? 0)} />
                <MatrixRow
                  row={row}
                  at={item.index}
                  measure={grid.rows.measureElement}
                  servers={servers}
                  index={index}
                  edits={edits}
                  isLastProfile={row.of === 'profile' && rows[item.index + 1]?.of === 'agent'}
                  stop={item.index === stop.row ? stop.column : null}
                  openAt={open?.of === row.of && open.id === row.id ? open.serverId : null}
                  onFocus={onFocus}
                  onOpen={onOpen}
                  onProfile={onProfile}
                />
              </Fragment>
            );
          })}
          <Gap height={end - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </div>
  );
}

/** Holds the place of rows that are not in the document. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr role="presentation" className={styles.gap}>
      <td role="presentation" style={{ height }} />
    </tr>
  );
}

function ServerHead({ server: { name, status, tools } }: { server: AccessMatrix['servers'][number] }) {
  return (
    <th scope="col">
      <span className={styles.server} title={name}>
        {name}
      </span>
      {status === 'enabled' ? (
        <span className={styles.tools}>{tools === null ? 'not listed yet' : `${tools} tools`}</span>
      ) : (
        <ServerStatusPill status={status} />
      )}
    </th>
  );
}
