import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { attentionQuery, causesIn, causesInAll } from '../../api/lists';
import type { AttentionItem } from '../../api/types';
import { useSteps } from '../../keyboard/use-steps';
import { Card } from '../../parts/card';
import { Empty } from '../../parts/empty';
import { ProblemNotice } from '../../parts/notice';
import { More } from '../../parts/more';
import { Skeleton } from '../../parts/skeleton';
import { AnsweredMeanwhile } from '../../shared/gates/answered-meanwhile';
import { Cause } from './cause';
import { FIRST_CONTROL, useKeptFocus } from './use-kept-focus';

/** What only a person can do: one row per cause, what holds up most first. */
export function NeedsYouScreen() {
  const attention = useInfiniteQuery(attentionQuery());
  const items = useMemo(() => causesIn(attention.data), [attention.data]);
  if (attention.isLoadingError)
    return (
      <ProblemNotice
        title="What needs you cannot be shown"
        error={attention.error}
        onRetry={() => void attention.refetch()}
      />
    );
  if (!attention.data) return <Skeleton rows={4} label="Loading what needs you" />;
  const total = causesInAll(attention.data);
  const present = new Set(items.flatMap(({ gate }) => (gate ? [gate.id] : [])));
  if (items.length === 0)
    return (
      <Card title="Decisions" flush>
        <AnsweredMeanwhile present={present} />
        <Empty icon="resolved" title="Nothing needs you">
          Work that waits for a person’s decision appears here as soon as an agent asks for it.
        </Empty>
      </Card>
    );
  return (
    <Card
      title="Decisions"
      count={total}
      flush
      footer={
        attention.hasNextPage && (
          <More
            shown={items.length}
            total={total}
            busy={attention.isFetchingNextPage}
            onMore={() => void attention.fetchNextPage()}
          />
        )
      }
    >
      <AnsweredMeanwhile present={present} />
      <Causes items={items} />
    </Card>
  );
}

function Causes({ items }: { items: readonly AttentionItem[] }) {
  const list = useRef<HTMLUListElement>(null);
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const keepFocus = useKeptFocus(list, ids);
  useSteps(list, { selector: FIRST_CONTROL, noun: 'decision' });
  return (
    <ul ref={list} onFocus={keepFocus}>
      {items.map((item) => (
        <Cause key={item.id} item={item} />
      ))}
    </ul>
  );
}
