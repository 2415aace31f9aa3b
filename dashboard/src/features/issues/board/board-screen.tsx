import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import type { ListedIssue } from '../../../api/types';
import { Empty } from '../../../parts/empty';
import { ProblemNotice } from '../../../parts/notice';
import { Skeleton } from '../../../parts/skeleton';
import { useMe } from '../../../session/me';
import { hasRole } from '../../../session/roles';
import { usePendingMoves } from '../changes';
import { IssueCommands, type Command } from '../commands/issue-commands';
import { IssueFilters } from '../filters/issue-filters';
import { boardQuery, closedCountQuery, resolvedQuery, type IssueFilter } from '../queries';
import styles from './board-screen.module.css';
import { Column } from './column';
import { columns, columnsOf } from './columns';
import { useDrag } from './drag';
import { useSteps } from './use-steps';

interface BoardScreenProps {
  project: string;
  filter: IssueFilter;
  onFilter: (filter: IssueFilter) => void;
  /** Whether a panel over the board has an issue open, whose keys count then. */
  covered: boolean;
}

/** The issues of a project in columns by status. Closed ones are counted, not shown. */
export function BoardScreen({ project, filter, onFilter, covered }: BoardScreenProps) {
  const board = useQuery(boardQuery(project, filter));
  const resolved = useQuery(resolvedQuery(project, filter));
  const closed = useQuery(closedCountQuery(project));
  const filtered = Object.values(filter).some((value) => value !== undefined);
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
  if (!filtered && rows.length === 0 && resolved.data.rows.length === 0 && !closed.data)
    return <EmptyBoard />;
  return (
    <>
      <IssueFilters
        filter={filter}
        onFilter={onFilter}
        end={
          <>
            {rows.length} not finished ·{' '}
            <Link to="/p/$key/list" params={{ key: project }} search={{ status: 'Closed' }} className="link">
              {closed.data ?? 0} closed
            </Link>
          </>
        }
      />
      <Columns
        project={project}
        unfinished={rows}
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
  resolved: readonly ListedIssue[];
  resolvedTotal: number | null;
  covered: boolean;
}

function Columns({ project, unfinished, resolved, resolvedTotal, covered }: ColumnsProps) {
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
  const byStatus = columnsOf([...unfinished, ...resolved], moves);
  const current = [...unfinished, ...resolved].find(({ key }) => key === focused) ?? null;
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
            total={status === 'Resolved' ? resolvedTotal : null}
            moving={new Set(moves.keys())}
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
