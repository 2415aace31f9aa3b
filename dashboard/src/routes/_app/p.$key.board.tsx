import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { BoardScreen } from '../../features/issues/board/board-screen';
import { filterIn, type IssueFilter } from '../../features/issues/queries';
import { buttonClass, IconButton } from '../../parts/button';
import { Panel } from '../../parts/card';
import { later } from '../../parts/later';
import { Skeleton } from '../../parts/notice';

interface BoardSearch extends IssueFilter {
  /** The issue that is open in the panel. */
  issue?: string | undefined;
}

// The board comes first: most of the code of an issue is for its texts and forms.
const loadIssueScreen = () => import('../../features/issues/detail/issue-screen');
/** By then the board has been drawn. */
const PREPARED_AFTER_MS = 500;
const IssueScreen = later(
  async () => (await loadIssueScreen()).IssueScreen,
  <Skeleton rows={4} label="Loading the issue" />,
);

export const Route = createFileRoute('/_app/p/$key/board')({
  validateSearch: (search: Record<string, unknown>): BoardSearch => ({
    // A board has a column for each status, and words are looked for in the list.
    ...filterIn({ ...search, status: undefined, q: undefined }),
    issue: typeof search['issue'] === 'string' ? search['issue'] : undefined,
  }),
  component: Board,
});

function Board() {
  const { key } = Route.useParams();
  const { issue, ...filter } = Route.useSearch();
  const navigate = useNavigate();
  useEffect(() => {
    // A failure is shown when an issue is opened.
    const timer = setTimeout(() => void loadIssueScreen().catch(() => undefined), PREPARED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
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
