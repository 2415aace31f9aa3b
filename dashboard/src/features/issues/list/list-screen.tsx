import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { IssueStatus, ListedIssue, Priority } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Empty } from '../../../parts/empty';
import { inputClass } from '../../../parts/field';
import { ProblemNotice } from '../../../parts/notice';
import { FilterBar } from '../../../parts/page';
import { PriorityIcon, priorityWord } from '../../../parts/priority';
import { Skeleton } from '../../../parts/skeleton';
import { issueStatuses, StatusIcon } from '../../../parts/status';
import { Since } from '../../../parts/time';
import { Who } from '../../../parts/who';
import { listQuery, type IssueFilter } from '../queries';
import { reasonOf } from '../reason';
import styles from './list-screen.module.css';

const ROW_PX = 44;
const OVERSCAN = 12;

interface ListScreenProps {
  project: string;
  filter: IssueFilter;
  onFilter: (filter: IssueFilter) => void;
}

/** Every issue of a project, narrowed by filters; rows outside the view are not in the document. */
export function ListScreen({ project, filter, onFilter }: ListScreenProps) {
  const list = useInfiniteQuery(listQuery(project, filter));
  const filtered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <Filters filter={filter} onFilter={onFilter} total={list.data?.pages[0]?.total ?? null} />
      {list.isError && (
        <ProblemNotice
          title="The list cannot be shown"
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isPending && <Skeleton rows={6} label="Loading issues" />}
      {list.data &&
        list.data.pages[0]?.rows.length === 0 &&
        (filtered ? <NothingMatches onClear={() => onFilter({})} /> : <NoIssues />)}
      {list.data && (
        <Rows
          issues={list.data.pages.flatMap(({ rows }) => rows)}
          onEnd={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
        />
      )}
    </>
  );
}

function Rows({ issues, onEnd }: { issues: readonly ListedIssue[]; onEnd: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  const rows = useWindowVirtualizer({
    count: issues.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  const visible = rows.getVirtualItems();
  const atEnd = visible.at(-1)?.index === issues.length - 1;
  useEffect(() => {
    if (atEnd) onEnd();
  }, [atEnd, onEnd]);
  if (issues.length === 0) return null;
  return (
    <ul className={styles.list} ref={list} style={{ height: rows.getTotalSize() }} aria-label="Issues">
      {visible.map(({ index, start }) => (
        <li
          key={issues[index]!.id}
          className={styles.row}
          style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
          aria-setsize={issues.length}
          aria-posinset={index + 1}
        >
          <Row issue={issues[index]!} />
        </li>
      ))}
    </ul>
  );
}

function Row({ issue }: { issue: ListedIssue }) {
  return (
    <>
      <StatusIcon status={issue.status} />
      <span className={styles.key}>{issue.key}</span>
      <PriorityIcon priority={issue.priority} />
      <Link to="/i/$key" params={{ key: issue.key }} className={styles.title}>
        {issue.title}
      </Link>
      <span className={styles.reason}>{reasonOf(issue).text}</span>
      <span className={styles.who}>
        <Who party={issue.assignee} />
      </span>
      <span className={styles.since}>
        <Since iso={issue.updatedAt} />
      </span>
    </>
  );
}

function Filters({ filter, onFilter, total }: Omit<ListScreenProps, 'project'> & { total: number | null }) {
  const set = (part: IssueFilter) => onFilter({ ...filter, ...part });
  return (
    <FilterBar end={total === null ? null : `${total} ${total === 1 ? 'issue' : 'issues'}`}>
      <input
        className={`${inputClass} ${styles.find}`}
        type="search"
        aria-label="Words in title or description"
        placeholder="Words in title or description"
        defaultValue={filter.q ?? ''}
        onChange={(event) => set({ q: event.target.value || undefined })}
      />
      <select
        className={`${inputClass} ${styles.choice}`}
        aria-label="Status"
        value={filter.status ?? ''}
        onChange={(event) => set({ status: (event.target.value || undefined) as IssueStatus | undefined })}
      >
        <option value="">Any status</option>
        {Object.entries(issueStatuses).map(([status, { word }]) => (
          <option key={status} value={status}>
            {word}
          </option>
        ))}
      </select>
      <select
        className={`${inputClass} ${styles.choice}`}
        aria-label="Priority"
        value={filter.priority ?? ''}
        onChange={(event) => set({ priority: (event.target.value || undefined) as Priority | undefined })}
      >
        <option value="">Any priority</option>
        {(['urgent', 'high', 'medium', 'low', 'none'] as const).map((priority) => (
          <option key={priority} value={priority}>
            {priorityWord(priority)}
          </option>
        ))}
      </select>
    </FilterBar>
  );
}

function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <Empty
      icon="filter"
      title="Nothing matches"
      actions={<Button onClick={onClear}>Clear the filter</Button>}
    >
      No issue of this project matches the filter.
    </Empty>
  );
}

function NoIssues() {
  return (
    <Empty icon="board" title="No issues yet">
      An issue is one piece of work. Create one and assign it to an agent, which picks it up on its next
      heartbeat.
    </Empty>
  );
}
