import { Icon } from '../../parts/icon';
import { Tag } from '../../parts/status';
import { Who } from '../../parts/who';
import styles from './matrix.module.css';
import type { Row } from './grants';

interface RowHeadProps {
  row: Row;
  at: number;
  tabStop: boolean;
  onFocus: () => void;
  onProfile: (id: string) => void;
}

/** Who a row is about. The head of a profile opens its name and agents. */
export function RowHead({ row, at, tabStop, onFocus, onProfile }: RowHeadProps) {
  if (row.of === 'agent')
    return (
      <th scope="row">
        <div className={styles.agent}>
          <Who party={{ type: 'agent', name: row.name }} />
          {row.disabled && <Tag icon="disabled">Disabled</Tag>}
        </div>
      </th>
    );
  return (
    <th scope="row">
      <button
        type="button"
        className={styles.profile}
        aria-label={`Profile ${row.name}, ${agentWords(row.agents)}: edit`}
        aria-haspopup="dialog"
        tabIndex={tabStop ? 0 : -1}
        data-row={at}
        data-column={-1}
        onFocus={onFocus}
        onClick={() => onProfile(row.id)}
      >
        <span className={styles.profileName}>{row.name}</span>
        <span className={styles.tools}>{agentWords(row.agents)}</span>
        <Icon name="settings" small />
      </button>
    </th>
  );
}

const agentWords = (count: number): string => (count === 1 ? '1 agent' : `${count} agents`);
