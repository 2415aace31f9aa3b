import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { countsQuery, groupsQuery, projectsQuery } from '../../../api/lists';
import type { IssueStatus, ListedIssue } from '../../../api/types';
import { useRevealed, useSteps } from '../../../keyboard/use-steps';
import { Batches, useLiveEvents } from '../../../live/live-provider';
import { issueOf, type LiveEvent } from '../../../live/event-table';
import { sayNumber } from '../../../parts/count';
import { issueStatuses, StatusIcon } from '../../../parts/status';
import { Empty, ProblemNotice, Skeleton } from '../../../parts/notice';
import { hasRole, useMe } from '../../../session/me';
import { usePendingMoves } from '../changes';
import { type Command, IssueCommands } from '../commands/issue-commands';
import { IssueFilters } from '../filters/issue-filters';
import { type IssueFilter, isFiltered } from '../queries';
import { cardsQuery, columns, columnsOf, newestOf, rereadCards, resolvedQuery } from './board-data';
import styles from './board-screen.module.css';
import { Column, useDrag } from './column';

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
  const totals = useTotals(project, filter);
  useBoardEvents(project);
  const failed = board.isError && (
    <ProblemNotice
      title="The board cannot be shown"
      error={board.error}
      onRetry={() => void board.refetch()}
    />
  );
  if (!board.data || !resolved.data) return failed || <Skeleton rows={5} label="Loading the board" />;
  const { rows } = board.data;
  const closed = totals?.of.Closed ?? 0;
  if (!isFiltered(filter) && rows.length === 0 && resolved.data.rows.length === 0 && !closed)
    return <EmptyBoard />;
  return (
    <>
      {failed}
      <IssueFilters
        project={project}
        filter={filter}
        onFilter={onFilter}
        end={
          totals && (
            <>
              {sayNumber(totals.unfinished)} not finished ·{' '}
              <Link
                to="/p/$key/list"
                params={{ key: project }}
                search={{ ...filter, status: 'Closed' }}
                className="link"
              >
                {closed} closed
              </Link>
            </>
          )
        }
      />
      <Columns
        project={project}
        filter={filter}
        unfinished={rows}
        resolved={resolved.data.rows}
        totals={totals}
        covered={covered}
      />
    </>
  );
}

/** The service's counts of the issues that match, by status. */
interface Totals {
  of: Partial<Record<IssueStatus, number>>;
  unfinished: number;
  /** How many wait for a person; the service counts them for the project as a whole only. */
  onPerson: number | null;
}

function useTotals(project: string, filter: IssueFilter): Totals | null {
  const groups = useQuery(groupsQuery(project, 'status', filter)).data?.groups;
  const isWhole = !isFiltered(filter);
  const waiting = useQuery({ ...countsQuery(project), enabled: isWhole }).data?.waiting;
  if (groups === undefined) return null;
  const of: Totals['of'] = Object.fromEntries(groups.map(({ value, issues }) => [value, issues]));
  const open = ['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview'] as const;
  const unfinished = open.reduce((sum, status) => sum + (of[status] ?? 0), 0);
  return { of, unfinished, onPerson: isWhole ? (waiting?.onPerson ?? null) : null };
}

interface ColumnsProps {
  project: string;
  filter: IssueFilter;
  unfinished: readonly ListedIssue[];
  resolved: readonly ListedIssue[];
  totals: Totals | null;
  covered: boolean;
}

function Columns({ project, filter, unfinished, resolved, totals, covered }: ColumnsProps) {
  const editable = hasRole(useMe(), 'Editor');
  const moves = usePendingMoves();
  const drag = useDrag();
  const revealed = useRevealed();
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
      <ColumnJumps totals={totals} />
      <div
        className={styles.board}
        role="region"
        aria-label="Board"
        tabIndex={0}
        ref={board}
        data-fill=""
        onFocus={({ target }) =>
          setFocused(target.closest<HTMLElement>('[data-issue]')?.dataset['issue'] ?? null)
        }
      >
        {columns.map((status) => (
          <Column
            key={status}
            status={status}
            project={project}
            filter={filter}
            issues={byStatus[status]}
            total={totals?.of[status] ?? null}
            onPerson={totals?.onPerson ?? null}
            moving={moving}
            revealed={revealed}
            drag={editable ? drag : null}
            onMove={openMenu}
          />
        ))}
      </div>
      <IssueCommands issue={covered ? null : current} command={command} onCommand={setCommand} />
    </>
  );
}

/** The columns with their counts, where only one is in view: a press brings another one there. */
function ColumnJumps({ totals }: { totals: Totals | null }) {
  return (
    <nav className={styles.jumps} aria-label="Columns">
      {columns.map((status) => (
        <button
          key={status}
          type="button"
          onClick={() =>
            document
              .getElementById(`column-${status}`)
              ?.closest('section')
              ?.scrollIntoView({ block: 'nearest', inline: 'start' })
          }
        >
          <StatusIcon status={status} />
          <span aria-hidden="true">{issueStatuses[status].word}</span>
          {totals && <span>{totals.of[status] ?? 0}</span>}
        </button>
      ))}
    </nav>
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
