import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { AccessMatrix } from '../../api/types';
import type { AccessIndex } from '../../shared/mcp/effective-access';
import { ServerStatusPill } from '../../parts/status';
import { Cell, RowHead } from './cells';
import styles from './matrix.module.css';
import {
  type Edits,
  effectOf,
  grantAt,
  type GridSize,
  isEdited,
  moved,
  type Place,
  type Position,
  type Row,
} from './grants';

interface MatrixRowProps extends Pick<AccessMatrix, 'servers'> {
  row: Row;
  /** Its number among all rows, which may not all be in the document. */
  at: number;
  measure: (element: HTMLElement | null) => void;
  index: AccessIndex;
  edits: Edits;
  isLastProfile: boolean;
  /** The column that takes the focus; null where another row has it. */
  stop: number | null;
  /** The server whose panel is open. */
  openAt: string | null;
  onFocus: (position: Position) => void;
  onOpen: (place: Place) => void;
  onProfile: (id: string) => void;
}

/** One profile or agent. It is drawn again only when something of it changes: an arrow key draws two rows. */
const MatrixRow = memo(function MatrixRow(props: MatrixRowProps) {
  const { row, at, measure, servers, index, edits, isLastProfile, stop, openAt, onFocus, onOpen, onProfile } =
    props;
  return (
    <tr
      ref={measure}
      data-index={at}
      data-profile={row.of === 'profile' || undefined}
      data-last={isLastProfile || undefined}
      aria-rowindex={at + 2}
    >
      <RowHead
        row={row}
        at={at}
        tabStop={stop === -1}
        onFocus={() => onFocus({ row: at, column: -1 })}
        onProfile={onProfile}
      />
      {servers.map((server, column) => {
        const place: Place = { of: row.of, id: row.id, serverId: server.id };
        const grant = grantAt(index, edits, place);
        return (
          <Cell
            key={server.id}
            row={row.name}
            server={server}
            position={{ row: at, column }}
            grant={grant}
            effect={effectOf(grant, row.of === 'agent' ? index.givenTo(row.id, server.id) : [])}
            edited={isEdited(edits, place)}
            open={openAt === server.id}
            tabStop={stop === column}
            onFocus={() => onFocus({ row: at, column })}
            onOpen={() => onOpen(place)}
          />
        );
      })}
    </tr>
  );
});

const ROW_PX = 44;
const HEAD_PX = 56;
const OVERSCAN = 6;

/**
 * A grid with one tab stop and arrow keys inside, of whose rows only those near the view are in the document: 500 agents
 * and 50 servers are 25,000 cells. The row with the tab stop stays, so that scrolling takes the focus from no one.
 */
function useGrid(scroll: RefObject<HTMLElement | null>, size: GridSize, keyOf: (row: number) => string) {
  const [at, setAt] = useState<Position>({ row: 0, column: 0 });
  const stop = { row: Math.min(at.row, size.rows - 1), column: Math.min(at.column, size.columns - 1) };
  const isMoving = useRef(false);
  const rows = useVirtualizer({
    count: size.rows,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    // The head of the table covers the first rows in view.
    scrollPaddingEnd: HEAD_PX,
    rangeExtractor: (range: Range) =>
      [...new Set([stop.row, ...defaultRangeExtractor(range)])]
        .filter((row) => row >= 0 && row < range.count)
        .toSorted((one, other) => one - other),
  });
  // A row that was out of the view is in the document only after the next drawing.
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    const cell = scroll.current?.querySelector<HTMLElement>(
      `[data-row="${stop.row}"][data-column="${stop.column}"]`,
    );
    if (!cell) return;
    isMoving.current = false;
    cell.focus();
  });
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const next = moved(stop, event.key, event.ctrlKey, size);
    if (next === null) return false;
    event.preventDefault();
    isMoving.current = true;
    setAt(next);
    return true;
  };
  return { stop, setAt, rows, onKeyDown };
}

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
