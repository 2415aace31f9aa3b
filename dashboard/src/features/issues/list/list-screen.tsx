import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { keys } from '../../../api/keys';
import type { IssueStatus, ListedIssue } from '../../../api/types';
import { useFilterField } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { Choice } from '../../../parts/choice';
import { inputClass } from '../../../parts/field';
import { Empty, ProblemNotice } from '../../../parts/notice';
import { Skeleton } from '../../../parts/skeleton';
import { issueStatuses } from '../../../parts/status';
import { announce, announceRefusal } from '../../../parts/toasts';
import { hasRole, useMe } from '../../../session/me';
import { type IssueChange, sendChange } from '../changes';
import { AssignPicker } from '../commands/assign-chooser';
import { IssueFilters } from '../filters/issue-filters';
import { type IssueFilter, listQuery } from '../queries';
import styles from './list-screen.module.css';
import { Rows, useSelection } from './rows';

interface ListScreenProps {
  project: string;
  filter: IssueFilter;
  onFilter: (filter: IssueFilter) => void;
}

/** Every issue of a project, narrowed by filters; rows outside the view are not in the document. */
export function ListScreen({ project, filter, onFilter }: ListScreenProps) {
  const list = useInfiniteQuery(listQuery(project, filter));
  const editable = hasRole(useMe(), 'Editor');
  const selection = useSelection(editable);
  const issues = useMemo(() => list.data?.pages.flatMap(({ rows }) => rows) ?? [], [list.data]);
  const filtered = Object.values(filter).some((value) => value !== undefined);
  const chosen = issues.filter(({ id }) => selection?.has(id));
  return (
    <>
      <ListFilters filter={filter} onFilter={onFilter} total={list.data?.pages[0]?.total ?? null} />
      {list.isError && (
        <ProblemNotice
          title="The list cannot be shown"
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isPending && <Skeleton rows={6} label="Loading issues" />}
      {list.data &&
        issues.length === 0 &&
        (filtered ? <NothingMatches onClear={() => onFilter({})} /> : <NoIssues />)}
      {issues.length > 0 && (
        <Rows
          issues={issues}
          selection={selection}
          onEnd={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
        />
      )}
      {chosen.length > 0 && <BulkBar issues={chosen} onDone={() => selection?.clear()} />}
    </>
  );
}

const statuses = Object.entries(issueStatuses).map(
  ([status, { word }]) => [status as IssueStatus, word] as const,
);

function ListFilters({
  filter,
  onFilter,
  total,
}: Omit<ListScreenProps, 'project'> & { total: number | null }) {
  const [shown, setShown] = useState(filter.q ?? '');
  const [known, setKnown] = useState(filter.q);
  const field = useFilterField('Search this list');
  // The palette changes the address from outside.
  if (known !== filter.q) {
    setKnown(filter.q);
    setShown(filter.q ?? '');
  }
  return (
    <IssueFilters
      filter={filter}
      onFilter={onFilter}
      end={total === null ? null : `${total} ${total === 1 ? 'issue' : 'issues'}`}
    >
      <input
        className={`${inputClass} ${styles.find}`}
        type="search"
        {...field}
        aria-label="Words in title or description"
        placeholder="Words in title or description"
        value={shown}
        onChange={({ target: { value } }) => {
          setShown(value);
          setKnown(value || undefined);
          onFilter({ ...filter, q: value || undefined });
        }}
      />
      <Choice
        label="Status"
        any="Any status"
        value={filter.status}
        options={statuses}
        onChange={(status) => onFilter({ ...filter, status })}
      />
    </IssueFilters>
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

/** Requests at once; a person who chose fifty issues should not use up the limit per minute in one second. */
const AT_ONCE = 4;

/** Sends one change for each of several issues; the refused ones are counted and the first refusal is shown. */
function useBulkChange(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ issues, change }: { issues: readonly ListedIssue[]; change: IssueChange }) => {
      const refusals: unknown[] = [];
      for (let at = 0; at < issues.length; at += AT_ONCE) {
        const sent = issues.slice(at, at + AT_ONCE).map((issue) => sendChange(issue, change));
        for (const result of await Promise.allSettled(sent))
          if (result.status === 'rejected') refusals.push(result.reason);
      }
      return refusals;
    },
    onSuccess: (refusals, { issues }) => {
      const done = issues.length - refusals.length;
      if (done > 0) announce(`${done} ${done === 1 ? 'issue is' : 'issues are'} changed`);
      if (refusals.length > 0)
        announceRefusal(`${refusals.length} of ${issues.length} were not changed`, refusals[0]);
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.issues }),
  });
}

/** Changes the chosen issues together. Those that the service refuses stay chosen, and the refusal is shown. */
function BulkBar({ issues, onDone }: { issues: readonly ListedIssue[]; onDone: () => void }) {
  const [assigning, setAssigning] = useState(false);
  const bulk = useBulkChange(onDone);
  const closable = issues.filter(({ allowedTransitions }) => allowedTransitions.includes('Closed'));
  return (
    <div className={styles.bulk} role="group" aria-label="Change the chosen issues">
      <b role="status">{issues.length} chosen</b>
      <Button small icon="user" busy={bulk.isPending} onClick={() => setAssigning(true)}>
        Assign
      </Button>
      {closable.length > 0 && (
        <Button
          small
          icon="closed"
          busy={bulk.isPending}
          onClick={() => bulk.mutate({ issues: closable, change: { kind: 'status', to: 'Closed' } })}
        >
          Close {closable.length}
        </Button>
      )}
      <Button small look="quiet" onClick={onDone}>
        Choose none
      </Button>
      <AssignPicker
        label={`Assign ${issues.length} issues`}
        projectId={issues[0]!.projectId}
        assignee={undefined}
        open={assigning}
        onClose={() => setAssigning(false)}
        onAssign={(to) => bulk.mutate({ issues, change: { kind: 'assign', to } })}
      />
    </div>
  );
}
