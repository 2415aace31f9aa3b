import { Fragment, useState, type ReactNode } from 'react';
import { IconButton } from './button';
import { classes } from './classes';
import styles from './log-table.module.css';
import { Table } from './table';
import { clockTime, shortTime, Time } from './time';

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
