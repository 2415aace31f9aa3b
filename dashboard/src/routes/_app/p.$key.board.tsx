import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { BoardScreen } from '../../features/issues/board/board-screen';
import { IssueScreen } from '../../features/issues/detail/issue-screen';
import { buttonClass, IconButton } from '../../parts/button';
import { Panel } from '../../parts/panel';
import { Skeleton } from '../../parts/skeleton';

interface BoardSearch {
  /** The issue that is open in the panel. */
  issue?: string | undefined;
}

export const Route = createFileRoute('/_app/p/$key/board')({
  validateSearch: ({ issue }: Record<string, unknown>): BoardSearch => ({
    issue: typeof issue === 'string' ? issue : undefined,
  }),
  component: Board,
});

function Board() {
  const { key } = Route.useParams();
  const { issue } = Route.useSearch();
  return (
    <>
      <BoardScreen project={key} filter={{}} />
      {issue !== undefined && <IssuePanel key={issue} issue={issue} />}
    </>
  );
}

function IssuePanel({ issue }: { issue: string }) {
  const { key } = Route.useParams();
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/p/$key/board', params: { key }, search: {}, resetScroll: false });
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
      <Suspense fallback={<Skeleton />}>
        <IssueScreen issueId={issue} />
      </Suspense>
    </Panel>
  );
}
