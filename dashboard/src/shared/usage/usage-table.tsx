import type { Usage } from '../../api/types';
import { Table } from '../../parts/table';
import { costOf, shortNumber, timeOf } from './figures';
import type { Grouping } from './queries';
import styles from './usage.module.css';

export const groupingNames: Record<Grouping, string> = {
  day: 'Day',
  agent: 'Agent',
  project: 'Project',
  issue: 'Issue',
  model: 'Model',
};

/** What usage without a key of the grouping is. */
const withoutKey: Record<Grouping, string> = {
  day: 'No day',
  agent: 'A retired agent',
  project: 'Outside of projects',
  issue: 'Without an issue',
  model: 'Counted by the service, without a model',
};

export function UsageTable({ rows, by }: { rows: readonly Usage[]; by: Grouping }) {
  return (
    <Table
      label="Usage"
      columns={[groupingNames[by], 'Tokens in', 'Tokens out', 'Cost', 'Turns', 'Tool calls', 'Time']}
    >
      {inOrder(rows, by).map((row) => (
        <tr key={row.key ?? ''} className={styles.row}>
          <td>{nameOf(row, by)}</td>
          <td data-label="Tokens in">{shortNumber(row.inputTokens)}</td>
          <td data-label="Tokens out">{shortNumber(row.outputTokens)}</td>
          <td data-label="Cost">{costOf(row.costMicros)}</td>
          <td data-label="Turns">
            {row.turns}
            {row.unreportedTurns > 0 && <span className="soft"> ({row.unreportedTurns} not reported)</span>}
          </td>
          <td data-label="Tool calls">{row.toolCalls}</td>
          <td data-label="Time">{timeOf(row.wallSeconds)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** The newest day first; of everything else what used the most. */
function inOrder(rows: readonly Usage[], by: Grouping): readonly Usage[] {
  if (by === 'day') return rows.toReversed();
  return rows.toSorted(
    (a, b) => b.costMicros - a.costMicros || tokensOf(b) - tokensOf(a) || b.turns - a.turns,
  );
}

const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

function nameOf({ key, label }: Usage, by: Grouping): string {
  if (key === null) return withoutKey[by];
  return label ?? (by === 'day' || by === 'model' ? key : `Deleted ${groupingNames[by].toLowerCase()}`);
}
