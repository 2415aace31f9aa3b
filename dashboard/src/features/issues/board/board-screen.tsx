import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { IssueStatus, ListedIssue } from '../../../api/types';
import { Empty } from '../../../parts/empty';
import { FilterBar } from '../../../parts/page';
import { ProblemNotice } from '../../../parts/notice';
import { Skeleton } from '../../../parts/skeleton';
import { Count, issueStatuses, StatusIcon } from '../../../parts/status';
import { boardQuery, closedCountQuery, resolvedQuery, type IssueFilter } from '../queries';
import styles from './board-screen.module.css';
import { Tile } from './tile';

const columns = ['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved'] as const;

/** The issues of a project in columns by status. Closed ones are counted, not shown. */
export function BoardScreen({ project, filter }: { project: string; filter: IssueFilter }) {
  const board = useQuery(boardQuery(project, filter));
  const resolved = useQuery(resolvedQuery(project, filter));
  const closed = useQuery(closedCountQuery(project));
  if (board.isError)
    return (
      <ProblemNotice
        title="The board cannot be shown"
        error={board.error}
        onRetry={() => void board.refetch()}
      />
    );
  if (!board.data || !resolved.data) return <Skeleton rows={5} label="Loading the board" />;
  const { rows } = board.data;
  if (rows.length === 0 && resolved.data.rows.length === 0 && !closed.data) return <EmptyBoard />;
  return (
    <>
      <FilterBar
        end={
          <>
            {rows.length} not finished ·{' '}
            <Link to="/p/$key/list" params={{ key: project }} search={{ status: 'Closed' }} className="link">
              {closed.data ?? 0} closed
            </Link>
          </>
        }
      >
        {null}
      </FilterBar>
      <div className={styles.board} role="region" aria-label="Board" tabIndex={0}>
        {columns.map((status) => (
          <Column
            key={status}
            status={status}
            project={project}
            issues={
              status === 'Resolved' ? resolved.data.rows : rows.filter((issue) => issue.status === status)
            }
            total={status === 'Resolved' ? resolved.data.total : null}
          />
        ))}
      </div>
    </>
  );
}

interface ColumnProps {
  status: IssueStatus;
  project: string;
  issues: readonly ListedIssue[];
  /** How many there are in all where only the latest are shown. */
  total: number | null;
}

function Column({ status, project, issues, total }: ColumnProps) {
  const id = `column-${status}`;
  const all = total ?? issues.length;
  return (
    <section className={styles.column} aria-labelledby={id}>
      <header>
        <h2 id={id}>
          <StatusIcon status={status} />
          <span aria-hidden="true">{issueStatuses[status].word}</span>
        </h2>
        <Count value={all} />
      </header>
      <ul className={styles.tiles}>
        {issues.map((issue) => (
          <Tile key={issue.id} issue={issue} project={project} />
        ))}
      </ul>
      {all > issues.length && (
        <Link to="/p/$key/list" params={{ key: project }} search={{ status }} className={styles.more}>
          {all - issues.length} more
        </Link>
      )}
    </section>
  );
}

function EmptyBoard() {
  return (
    <Empty icon="board" title="No issues yet">
      An issue is one piece of work. Create one and assign it to an agent, which picks it up on its next
      heartbeat.
    </Empty>
  );
}
