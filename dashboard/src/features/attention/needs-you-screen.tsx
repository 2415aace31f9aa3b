import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useRef } from 'react';
import { agentsQuery, type AttentionFilter, attentionQuery, causesIn, projectsQuery } from '../../api/lists';
import type { AttentionTabs } from '../../api/types';
import { Button } from '../../parts/button';
import { Choice } from '../../parts/field';
import { sayNumber } from '../../parts/count';
import { Empty, ProblemNotice, Skeleton } from '../../parts/notice';
import { FilterBar, Tabs } from '../../parts/page';
import { More } from '../../parts/table';
import { AnsweredMeanwhile } from '../../shared/gates/answers';
import { Causes } from './causes';

interface NeedsYouProps {
  filter: AttentionFilter;
  onFilter: (filter: AttentionFilter) => void;
}

/** What only a person can do: one row per cause, what holds up most first, in tabs by what is to be done. */
export function NeedsYouScreen({ filter, onFilter }: NeedsYouProps) {
  const attention = useInfiniteQuery(attentionQuery(filter));
  const { data, dataUpdatedAt: readAt } = attention;
  // A hundred rows more are drawn in pieces, between which the page scrolls.
  const read = useDeferredValue(
    useMemo(() => (data ? { items: causesIn(data), readAt } : null), [data, readAt]),
  );
  const items = read?.items ?? [];
  const tabs = useLatest(attention.data?.pages[0]?.tabs);
  const total = totalOf(filter, tabs);
  const present = new Set(items.flatMap(({ gate }) => (gate ? [gate.id] : [])));
  return (
    <>
      <Places filter={filter} tabs={tabs} />
      <Filters filter={filter} onFilter={onFilter} snoozed={tabs?.snoozed ?? 0} />
      {attention.isLoadingError && (
        <ProblemNotice
          title="What needs you cannot be shown"
          error={attention.error}
          onRetry={() => void attention.refetch()}
        />
      )}
      {(read === null || attention.isPending) && !attention.isLoadingError && (
        <Skeleton rows={6} label="Loading what needs you" />
      )}
      {read && data && <AnsweredMeanwhile present={present} />}
      {read && data && (
        <Causes
          items={items}
          filter={filter}
          total={total}
          readAt={read.readAt}
          empty={<Nothing filter={filter} onFilter={onFilter} />}
          end={
            attention.hasNextPage && (
              <More
                shown={items.length}
                total={total}
                busy={attention.isFetchingNextPage}
                onMore={() => void attention.fetchNextPage()}
              />
            )
          }
        />
      )}
    </>
  );
}

/** The counts that were read last, while those of another tab are read: the heads do not flicker. */
function useLatest(tabs: AttentionTabs | undefined): AttentionTabs | undefined {
  const latest = useRef(tabs);
  if (tabs) latest.current = tabs;
  return latest.current;
}

/** How many causes the list has in all; the service counts them. */
function totalOf({ tab, snoozed }: AttentionFilter, tabs: AttentionTabs | undefined): number {
  if (snoozed) return tabs?.snoozed ?? 0;
  return tabs?.[tab ?? 'all'] ?? 0;
}

/** The tabs are addresses that keep the filters. */
function Places({ filter, tabs }: { filter: AttentionFilter; tabs: AttentionTabs | undefined }) {
  const to = (label: string, tab: AttentionFilter['tab'], count: number | undefined) => ({
    ...{ label, to: '/', count, search: { ...filter, ids: undefined, snoozed: undefined, tab } },
  });
  return (
    <Tabs
      label="What is to be done"
      tabs={[
        to('All', undefined, tabs?.all),
        to('Decide', 'decide', tabs?.decide),
        to('Review', 'review', tabs?.review),
        to('Broken', 'broken', tabs?.broken),
      ]}
    />
  );
}

function Filters({ filter, onFilter, snoozed }: NeedsYouProps & { snoozed: number }) {
  const projects = useQuery(projectsQuery).data ?? [];
  const agents = useQuery(agentsQuery).data ?? [];
  const set = (change: AttentionFilter) => onFilter({ ...filter, ids: undefined, ...change });
  return (
    <FilterBar>
      <Choice
        label="Project"
        any="All projects"
        value={filter.projectId}
        options={projects.map(({ key, name }) => [key, name] as const)}
        onChange={(projectId) => set({ projectId })}
      />
      <Choice
        label="Agent"
        any="All agents"
        value={filter.agentId}
        options={agents.map(({ id, name }) => [id, name] as const)}
        onChange={(agentId) => set({ agentId })}
      />
      <Button
        aria-pressed={filter.mine === true}
        title="Issues that you answer for, decisions of projects that you are a member of, and your keys"
        onClick={() => set({ mine: filter.mine ? undefined : true })}
      >
        Mine
      </Button>
      {(snoozed > 0 || filter.snoozed) && (
        <Button
          icon="clock"
          aria-pressed={filter.snoozed === true}
          onClick={() => set({ snoozed: filter.snoozed ? undefined : true, tab: undefined })}
        >
          Snoozed {sayNumber(snoozed)}
        </Button>
      )}
      {filter.ids && <Button onClick={() => set({})}>Show everything</Button>}
    </FilterBar>
  );
}

const empty = {
  all: 'Nothing needs you',
  decide: 'Nothing to decide',
  review: 'Nothing to review',
  broken: 'Nothing is broken',
} as const;

function Nothing({ filter, onFilter }: NeedsYouProps) {
  const { tab, snoozed, ...others } = filter;
  const filtered = Object.values(others).some((value) => value !== undefined);
  if (filtered)
    return (
      <Empty
        icon="filter"
        title="Nothing matches"
        actions={<Button onClick={() => onFilter({ tab })}>Clear the filter</Button>}
      >
        Nothing that waits for a person matches the filter.
      </Empty>
    );
  if (snoozed)
    return (
      <Empty icon="clock" title="Nothing is snoozed">
        What you snooze comes back at its time, or when it grows worse.
      </Empty>
    );
  return (
    <Empty icon="resolved" title={empty[tab ?? 'all']}>
      Work that waits for a person’s decision appears here as soon as an agent asks for it.
    </Empty>
  );
}
