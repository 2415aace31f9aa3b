import type { AccessMatrix } from '../../api/types';
import { classes } from '../../parts/classes';
import { Icon } from '../../parts/icon';
import { askWordsOf, wordsOf, type Grant } from './grants';
import styles from './matrix.module.css';
import type { Position } from './moves';

interface CellProps {
  agent: string;
  server: AccessMatrix['servers'][number];
  position: Position;
  grant: Grant;
  edited: boolean;
  open: boolean;
  tabStop: boolean;
  onFocus: () => void;
  onOpen: () => void;
}

/** What one agent has of one server. Enter and a press open its tools. */
export function Cell({ agent, server, position, grant, edited, open, tabStop, onFocus, onOpen }: CellProps) {
  const words = wordsOf(grant, server.tools);
  const asks = askWordsOf(grant);
  const look = typeof grant.has === 'string' ? grant.has : 'some';
  return (
    <td
      role="gridcell"
      className={styles.cell}
      data-edited={edited || undefined}
      data-open={open || undefined}
    >
      <button
        type="button"
        className={classes(styles.button, styles[look])}
        aria-label={`${agent}, ${server.name}: ${words}${asks ? `, ${asks}` : ''}${edited ? ', edited' : ''}`}
        aria-expanded={open}
        tabIndex={tabStop ? 0 : -1}
        data-row={position.row}
        data-column={position.column}
        onFocus={onFocus}
        onClick={onOpen}
      >
        <span>
          {grant.has === 'all' && <Icon name="check" small />}
          {words}
        </span>
        {asks && <span className={styles.asks}>{asks}</span>}
        {edited && <span className={styles.edited}>edited</span>}
      </button>
    </td>
  );
}
