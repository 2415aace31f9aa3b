import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { projectsQuery } from '../../../api/lists';
import type { ListedIssue } from '../../../api/types';
import { useSteps } from '../../../keyboard/use-steps';
import { Batches, useLiveEvents } from '../../../live/live-provider';
import { issueOf, type LiveEvent } from '../../../live/event-table';
import { Empty, ProblemNotice } from '../../../parts/notice';
import { Skeleton } from '../../../parts/skeleton';
import { hasRole, useMe } from '../../../session/me';
import { usePendingMoves } from '../changes';
import { type Command, IssueCommands } from '../commands/issue-commands';
import { IssueFilters } from '../filters/issue-filters';
import type { IssueFilter } from '../queries';
import { atLeast, columns, columnsOf, newestOf, rereadCards } from './board-cards';
import { useDrag } from './drag';
import { cardsQuery, closedCountQuery, resolvedQuery } from './board-queries';
import styles from './board-screen.module.css';
import { Column } from './column';

/** Has the cards read again that events name: one request for all of a moment, however large the board is. */
function useBoardEvents(project: string): void {
  const client = useQueryClient();
  const projects = useQuery(projectsQuery).data;
  const projectId = projects?.find(({ id, key }) => id === project || key === project)?.id;
  const batches = useRef<Batches<string> | null>(null);
  useEffect(() => {
    const own = new Batches<string>((ids) => rereadCards(client, ids));
    batches.current = own;
    return () => own.stop();
  }, [client, project]);
  useLiveEvents(
    useCallback(
      (event: LiveEvent) => {
        const id = issueOf(event);
        if (id !== null && event.projectId === projectId) batches.current?.add(id, id);
      },
      [projectId],
    ),
  );
}

interface BoardScreenProps {
  project: string;
  filter: IssueFilter;
  onFilter: (filter: IssueFilter) => void;
  /** Whether a panel over the board has an issue open, whose keys count then. */
  covered: boolean;
}

/** The issues of a project in columns by status. Closed ones are counted, not shown. */
export function BoardScreen({ project, filter, onFilter, covered }: BoardScreenProps) {
  const board = useQuery(cardsQuery(project, filter));
  const resolved = useQuery(resolvedQuery(project, filter));
  const closed = useQuery(closedCountQuery(project));
  useBoardEvents(project);
  const filtered = Object.values(filter).some((value) => value !== undefined);
  const failed = board.isError && (
    <ProblemNotice
      title="The board cannot be shown"
      error={board.error}
      onRetry={() => void board.refetch()}
    />
  );
  if (!board.data || !resolved.data) return failed || <Skeleton rows={5} label="Loading the board" />;
  const { rows, isWhole } = board.data;
  if (!filtered && rows.length === 0 && resolved.data.rows.length === 0 && !closed.data)
    return <EmptyBoard />;
  return (
    <>
      {failed}
      <IssueFilters
        filter={filter}
        onFilter={onFilter}
        end={
          <>
            {atLeast(rows.length, isWhole)} not finished ·{' '}
            <Link to="/p/$key/list" params={{ key: project }} search={{ status: 'Closed' }} className="link">
              {closed.data ?? 0} closed
            </Link>
          </>
        }
      />
      <Columns
        project={project}
        unfinished={rows}
        isWhole={isWhole}
        resolved={resolved.data.rows}
        resolvedTotal={resolved.data.total}
        covered={covered}
      />
    </>
  );
}

interface ColumnsProps {
  project: string;
  unfinished: readonly ListedIssue[];
  isWhole: boolean;
  resolved: readonly ListedIssue[];
  resolvedTotal: number | null;
  covered: boolean;
}

function Columns({ project, unfinished, isWhole, resolved, resolvedTotal, covered }: ColumnsProps) {
  const editable = hasRole(useMe(), 'Editor');
  const moves = usePendingMoves();
  const drag = useDrag();
  const board = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const [command, setCommand] = useState<Command | null>(null);
  useSteps(board);
  const openMenu = useCallback((issue: ListedIssue) => {
    setFocused(issue.key);
    setCommand('move');
  }, []);
  const issues = useMemo(() => newestOf([...unfinished, ...resolved]), [unfinished, resolved]);
  const byStatus = useMemo(() => columnsOf(issues, moves), [issues, moves]);
  const moving = useMemo(() => new Set(moves.keys()), [moves]);
  const current = issues.find(({ key }) => key === focused) ?? null;
  return (
    <>
      <div
        className={styles.board}
        role="region"
        aria-label="Board"
        tabIndex={0}
        ref={board}
        onFocus={({ target }) =>
          setFocused(target.closest<HTMLElement>('[data-issue]')?.dataset['issue'] ?? null)
        }
      >
        {columns.map((status) => (
          <Column
            key={status}
            status={status}
            project={project}
            issues={byStatus[status]}
            total={status === 'Resolved' ? resolvedTotal : isWhole ? byStatus[status].length : null}
            moving={moving}
            drag={editable ? drag : null}
            onMove={openMenu}
          />
        ))}
      </div>
      <IssueCommands issue={covered ? null : current} command={command} onCommand={setCommand} />
    </>
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
