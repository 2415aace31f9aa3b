import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { ProblemNotice } from '../../parts/notice';
import { Skeleton } from '../../parts/skeleton';
import { ActivityFilters } from './activity-filters';
import { ActivityTable } from './activity-table';
import { activityQuery, type ActivityFilter } from './queries';
import { useNewEntries } from './use-new-entries';

interface ActivityScreenProps {
  filter: ActivityFilter;
  onFilter: (filter: ActivityFilter) => void;
}

/** Who did what, newest first. What happens meanwhile waits behind a button, so that no row moves. */
export function ActivityScreen({ filter, onFilter }: ActivityScreenProps) {
  const client = useQueryClient();
  const query = activityQuery(filter);
  const log = useInfiniteQuery(query);
  const entries = log.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const count = useNewEntries(filter, entries[0]?.id);
  const filtered = filter.type !== undefined || filter.actorId !== undefined;
  return (
    <>
      <ActivityFilters filter={filter} onFilter={onFilter}>
        {count > 0 && (
          <Button small icon="refresh" onClick={() => void client.resetQueries({ queryKey: query.queryKey })}>
            Show {count} new
          </Button>
        )}
      </ActivityFilters>
      {log.isPending && <Skeleton rows={6} label="Loading activity" />}
      {log.isError && (
        <ProblemNotice
          title="The activity cannot be shown"
          error={log.error}
          onRetry={() => void log.refetch()}
        />
      )}
      {log.data && entries.length === 0 && <Nothing filtered={filtered} onClear={() => onFilter({})} />}
      {entries.length > 0 && (
        <ActivityTable
          entries={entries}
          footer={
            log.hasNextPage ? (
              <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                Show older
              </Button>
            ) : (
              <span className="soft small">This is the beginning of the log.</span>
            )
          }
        />
      )}
    </>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered)
    return (
      <Empty icon="activity" title="Nothing happened yet">
        Changes, sign-ins and refusals appear here.
      </Empty>
    );
  return (
    <Empty
      icon="filter"
      title="Nothing matches"
      actions={<Button onClick={onClear}>Clear the filter</Button>}
    >
      Nothing of this kind is in the log.
    </Empty>
  );
}
