import { createFileRoute } from '@tanstack/react-router';
import { IssueScreen } from '../../features/issues/detail/issue-screen';
import { issueQuery } from '../../features/issues/queries';

export const Route = createFileRoute('/_app/i/$key')({
  // The screen says when there is no such issue, also when it is deleted while it is shown.
  loader: ({ context, params }) => context.queryClient.prefetchQuery(issueQuery(params.key)),
  component: Issue,
});

function Issue() {
  return <IssueScreen issueId={Route.useParams().key} />;
}
