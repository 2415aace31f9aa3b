import type { Priority } from '../../api/types';
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { BoardScreen } from '../../features/issues/board/board-screen';
import { IssueScreen } from '../../features/issues/detail/issue-screen';
import type { IssueFilter } from '../../features/issues/queries';
import { buttonClass, IconButton } from '../../parts/button';
import { Panel } from '../../parts/panel';

interface BoardSearch extends IssueFilter {
  /** The issue that is open in the panel. */
  issue?: string | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const Route = createFileRoute('/_app/p/$key/board')({
  validateSearch: (search: Record<string, unknown>): BoardSearch => ({
    issue: text(search['issue']),
    priority: text(search['priority']) as Priority | undefined,
    assigneeId: text(search['assigneeId']),
    goalId: text(search['goalId']),
  }),
  component: Board,
});

function Board() {
  const { key } = Route.useParams();
  const { issue, ...filter } = Route.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <BoardScreen
        project={key}
        filter={filter}
        covered={issue !== undefined}
        onFilter={(next) =>
          void navigate({ to: '/p/$key/board', params: { key }, search: next, replace: true })
        }
      />
      {issue !== undefined && <IssuePanel key={issue} issue={issue} />}
    </>
  );
}

function IssuePanel({ issue }: { issue: string }) {
  const { key } = Route.useParams();
  const navigate = useNavigate();
  const close = () =>
    void navigate({
      to: '/p/$key/board',
      params: { key },
      search: (old: BoardSearch) => ({ ...old, issue: undefined }),
      resetScroll: false,
    });
  return (
    <Panel
      label={issue}
      onClose={close}
      header={
        <>
          <Link to="/i/$key" params={{ key: issue }} className={buttonClass({ look: 'quiet', small: true })}>
            Open the full page
          </Link>
          <IconButton icon="close" label="Close" onClick={close} />
        </>
      }
    >
      <IssueScreen issueId={issue} />
    </Panel>
  );
}
