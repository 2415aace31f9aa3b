import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { CallOutcome } from '../../api/types';
import { Button } from '../../parts/button';
import { Card } from '../../parts/card';
import { Choice } from '../../parts/choice';
import { Empty } from '../../parts/empty';
import { Loaded } from '../../parts/loaded';
import { FilterBar } from '../../parts/page';
import { CallTable } from './call-table';
import { outcomes } from './outcomes';
import { callsQuery, type CallSubject } from './queries';

const options = (Object.keys(outcomes) as CallOutcome[]).map((one) => [one, outcomes[one].word] as const);

/** The tool calls of a subject with a filter; `summary` stands at the right of it. */
export function CallList({ subject, summary }: { subject: CallSubject; summary?: ReactNode }) {
  const [outcome, setOutcome] = useState<CallOutcome>();
  const calls = useInfiniteQuery(callsQuery(subject, outcome));
  return (
    <>
      <FilterBar end={summary}>
        <Choice
          label="How they ended"
          any="Ended in any way"
          value={outcome}
          options={options}
          onChange={setOutcome}
        />
      </FilterBar>
      <Loaded query={calls} what="The tool calls">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          if (rows.length === 0) return <Nothing filtered={outcome !== undefined} />;
          return (
            <Card
              title="Tool calls"
              flush
              footer={
                calls.hasNextPage ? (
                  <Button busy={calls.isFetchingNextPage} onClick={() => void calls.fetchNextPage()}>
                    Show older
                  </Button>
                ) : (
                  <span className="soft small">
                    These are all that are kept. Values of arguments and results are never recorded.
                  </span>
                )
              }
            >
              <CallTable calls={rows} of={subject.kind} />
            </Card>
          );
        }}
      </Loaded>
    </>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <Empty icon="filter" title="Nothing matches">
      No call ended in this way.
    </Empty>
  ) : (
    <Empty icon="tool" title="No tool calls yet">
      Every call of a server’s tool appears here: which tool, how it ended, and how long it took.
    </Empty>
  );
}
