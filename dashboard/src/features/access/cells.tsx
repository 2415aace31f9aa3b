import type { AccessMatrix } from '../../api/types';
import { classes } from '../../parts/classes';
import { Icon } from '../../parts/icon';
import { Tag } from '../../parts/status';
import { Who } from '../../parts/who';
import { type Effective, sourceWords } from '../../shared/mcp/effective-access';
import styles from './matrix.module.css';
import type { Grant, Position, Row } from './grants';

/** `None`, `Refused`, `All` or `7 of 22`. */
export function wordsOf({ has }: Pick<Grant, 'has'>, effect: Effective | null, tools: number | null): string {
  if (has === 'refused') return 'Refused';
  if (effect === null) return 'None';
  if (effect.tools === null) return 'All';
  return tools === null ? `${effect.tools.length} tools` : `${effect.tools.length} of ${tools}`;
}

/** `asks for writes` or `asks for 3`; null where no call needs an approval. */
export function askWordsOf(effect: Effective | null): string | null {
  if (effect === null || effect.ask === null) return null;
  return effect.ask === 'writes' ? 'asks for writes' : `asks for ${effect.ask.length}`;
}

/** Where the right comes from, where that is not a grant alone. */
export function fromWords(effect: Effective | null): string | null {
  return effect === null || effect.profiles.length === 0 ? null : sourceWords(effect);
}

/** The credential set, where it is not `default`. */
export function setWords(effect: Effective | null): string | null {
  return effect === null || effect.credentialSet === 'default' ? null : effect.credentialSet;
}

interface CellProps {
  row: string;
  server: AccessMatrix['servers'][number];
  position: Position;
  grant: Grant;
  /** What it amounts to, with what profiles give. */
  effect: Effective | null;
  edited: boolean;
  open: boolean;
  tabStop: boolean;
  onFocus: () => void;
  onOpen: () => void;
}

/** What a profile or an agent has of one server, and where that comes from. Enter and a press open its tools. */
export function Cell(props: CellProps) {
  const { row, server, position, grant, effect, edited, open, tabStop, onFocus, onOpen } = props;
  const words = wordsOf(grant, effect, server.tools);
  const from = fromWords(effect);
  const asks = askWordsOf(effect);
  const set = setWords(effect);
  const facts = [words, from, asks, set && `credentials ${set}`, edited && 'edited'].filter(Boolean);
  return (
    <td
      role="gridcell"
      className={styles.cell}
      data-edited={edited || undefined}
      data-open={open || undefined}
    >
      <button
        type="button"
        className={classes(styles.button, styles[lookOf(grant, effect)])}
        aria-label={`${row}, ${server.name}: ${facts.join(', ')}`}
        aria-expanded={open}
        tabIndex={tabStop ? 0 : -1}
        data-row={position.row}
        data-column={position.column}
        onFocus={onFocus}
        onClick={onOpen}
      >
        <span>
          {effect?.tools === null && <Icon name="check" small />}
          {grant.has === 'refused' && <Icon name="disabled" small />}
          {words}
        </span>
        {from && <span className={styles.from}>{from}</span>}
        {set && (
          <span className={styles.from}>
            <Icon name="shield" small />
            {set}
          </span>
        )}
        {asks && <span className={styles.asks}>{asks}</span>}
        {edited && <span className={styles.edited}>edited</span>}
      </button>
    </td>
  );
}

function lookOf({ has }: Grant, effect: Effective | null): 'none' | 'refused' | 'all' | 'some' {
  if (has === 'refused') return 'refused';
  if (effect === null) return 'none';
  return effect.tools === null ? 'all' : 'some';
}

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
