import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RecentUsage, Usage, UsageFigures } from '../../api/types';
import { Card, Fact, Facts } from '../../parts/card';
import { Choice } from '../../parts/field';
import { sayNumber } from '../../parts/count';
import { Empty, Loaded } from '../../parts/notice';
import { FilterBar } from '../../parts/page';
import { Table } from '../../parts/table';
import {
  costOf,
  DEFAULT_DAYS,
  type Grouping,
  shortNumber,
  timeOf,
  usageQuery,
  type UsageSubject,
  type UsageView,
} from './queries';
import styles from './usage.module.css';

/** The figures of a subject in words. Tokens and cost are as agents reported them. */
export function UsageFacts({ usage }: { usage: UsageFigures }) {
  return (
    <Facts>
      <Fact name="Tokens">
        {shortNumber(usage.inputTokens)} in, {shortNumber(usage.outputTokens)} out
      </Fact>
      <Fact name="Cost">{costOf(usage.costMicros)}</Fact>
      <Fact name="Turns">
        {sayNumber(usage.turns)}
        {usage.unreportedTurns > 0 && <span className="soft">, {usage.unreportedTurns} not reported</span>}
      </Fact>
      <Fact name="Tool calls">{sayNumber(usage.toolCalls)}</Fact>
      <Fact name="Time">{timeOf(usage.wallSeconds)}</Fact>
    </Facts>
  );
}

const groupingNames: Record<Grouping, string> = {
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

function UsageTable({ rows, by }: { rows: readonly Usage[]; by: Grouping }) {
  return (
    <div className={styles.figures}>
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
              {sayNumber(row.turns)}
              {row.unreportedTurns > 0 && <span className="soft"> ({row.unreportedTurns} not reported)</span>}
            </td>
            <td data-label="Tool calls">{sayNumber(row.toolCalls)}</td>
            <td data-label="Time">{timeOf(row.wallSeconds)}</td>
          </tr>
        ))}
      </Table>
    </div>
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

interface UsageScreenProps {
  subject: UsageSubject;
  /** What the usage can be listed by, the usual one first. */
  by: readonly Grouping[];
  recent: RecentUsage;
  view: UsageView;
  onView: (view: UsageView) => void;
  /** The budget, for those who may see it. */
  budget: ReactNode;
}

/** What a subject used: a table of a window, today and this month in figures, and its budget. */
export function UsageScreen({ subject, by, recent, view, onView, budget }: UsageScreenProps) {
  const grouping = view.by ?? by[0]!;
  const days = view.days ?? DEFAULT_DAYS;
  const usage = useQuery(usageQuery(subject, grouping, days));
  return (
    <>
      <FilterBar end="Tokens and cost are as agents report them">
        <Choice
          label="What it is listed by"
          any={`By ${groupingNames[by[0]!].toLowerCase()}`}
          value={view.by}
          options={by.slice(1).map((one) => [one, `By ${groupingNames[one].toLowerCase()}`] as const)}
          onChange={(next) => onView({ ...view, by: next })}
        />
        <Choice
          label="The window"
          any="Last 30 days"
          value={view.days?.toString()}
          options={[
            ['1', 'Last 24 hours'],
            ['7', 'Last 7 days'],
          ]}
          onChange={(next) => onView({ ...view, days: next === undefined ? undefined : Number(next) })}
        />
      </FilterBar>
      <div className={styles.split}>
        <Loaded query={usage} what="The usage">
          {({ rows, nextCursor }) =>
            rows.length === 0 ? (
              <Empty icon="clock" title="Nothing was used">
                Turns, tool calls and time are counted while work is held; tokens and cost appear when agents
                report them.
              </Empty>
            ) : (
              <Card
                title={`Usage by ${groupingNames[grouping].toLowerCase()}`}
                flush
                {...(nextCursor !== null && {
                  footer: (
                    <span className="soft small">
                      The first {rows.length} rows. A shorter window has fewer.
                    </span>
                  ),
                })}
              >
                <UsageTable rows={rows} by={grouping} />
              </Card>
            )
          }
        </Loaded>
        <div className="stack">
          <Card title="Today">
            <UsageFacts usage={recent.today} />
          </Card>
          <Card title="This month">
            <UsageFacts usage={recent.month} />
          </Card>
          {budget}
        </div>
      </div>
    </>
  );
}
