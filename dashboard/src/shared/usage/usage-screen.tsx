import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RecentUsage } from '../../api/types';
import { Card } from '../../parts/card';
import { Choice } from '../../parts/choice';
import { Empty } from '../../parts/empty';
import { Loaded } from '../../parts/loaded';
import { FilterBar } from '../../parts/page';
import { DEFAULT_DAYS, usageQuery, type Grouping, type UsageSubject, type UsageView } from './queries';
import { UsageFacts } from './usage-figures';
import { groupingNames, UsageTable } from './usage-table';
import styles from './usage.module.css';

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
