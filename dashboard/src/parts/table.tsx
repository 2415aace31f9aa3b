import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from './button';
import { classes } from './classes';
import { sayNumber } from './count';
import styles from './table.module.css';
import { clockTime, shortTime, Time } from './time';

interface MoreProps {
  shown: number;
  total: number;
  busy: boolean;
  onMore: () => void;
}

/** The end of a list that goes on: loads the next rows when it comes near the view. The button is for those who do not scroll. */
export function More({ shown, total, busy, onMore }: MoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  useEffect(() => {
    if (end.current === null || busy) return undefined;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: '400px',
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [busy, shown]);
  return (
    <div className="row" ref={end}>
      <Button busy={busy} onClick={onMore}>
        Show more
      </Button>
      <span className="soft small">
        {sayNumber(shown)} of {sayNumber(total)}
      </span>
    </div>
  );
}

interface TableProps {
  label: string;
  /** Names of the columns; an empty one belongs to buttons. */
  columns: readonly string[];
  /** The columns of numbers, which stand at the right; their cells have `data-number`. */
  numbers?: readonly string[];
  children: ReactNode;
  /** Whether a phone shows each row as a block. Cells then name their column in `data-label`. */
  fold?: boolean;
}

/** Rows of facts. A table that is wider than the screen scrolls by itself, also by keyboard. */
export function Table({ label, columns, numbers = [], children, fold = true }: TableProps) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={classes(styles.table, fold && styles.fold)}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column || index} scope="col" data-number={numbers.includes(column) ? '' : undefined}>
                {column || <span className="sr-only">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface LogTableProps<Row> {
  label: string;
  /** The columns between the time and the button that opens a row. */
  columns: readonly string[];
  /** Newest first. */
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  timeOf: (row: Row) => string;
  /** Names a row for its button: "the call of echo". */
  nameOf: (row: Row) => string;
  cells: (row: Row) => ReactNode;
  /** Everything that is recorded of a row; shown below it while it is open. */
  details: (row: Row) => ReactNode;
}

/** What happened, by time; a row opens to its details, one at a time. */
export function LogTable<Row>({ label, columns, rows, keyOf, details, ...row }: LogTableProps<Row>) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Table label={label} columns={['Time', ...columns, '']}>
      {rows.map((one) => {
        const key = keyOf(one);
        return (
          <Fragment key={key}>
            <LogRow
              {...row}
              row={one}
              detailsId={`details-${key}`}
              open={open === key}
              onToggle={() => setOpen(open === key ? null : key)}
            />
            {open === key && (
              <tr className={styles.opened} id={`details-${key}`}>
                <td colSpan={columns.length + 2}>{details(one)}</td>
              </tr>
            )}
          </Fragment>
        );
      })}
    </Table>
  );
}

interface LogRowProps<Row> extends Pick<LogTableProps<Row>, 'timeOf' | 'nameOf' | 'cells'> {
  row: Row;
  detailsId: string;
  open: boolean;
  onToggle: () => void;
}

function LogRow<Row>({ row, timeOf, nameOf, cells, detailsId, open, onToggle }: LogRowProps<Row>) {
  const at = timeOf(row);
  return (
    <tr onClick={onToggle} className={styles.row}>
      <td className={styles.time}>
        {shortTime(at).includes(':') ? <time dateTime={at}>{clockTime(at)}</time> : <Time iso={at} />}
      </td>
      {cells(row)}
      <td className={styles.toggle}>
        <IconButton
          icon="right"
          small
          label={`Details of ${nameOf(row)} at ${clockTime(at)}`}
          aria-expanded={open}
          aria-controls={open ? detailsId : undefined}
          className={classes(open && styles.turned)}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        />
      </td>
    </tr>
  );
}
