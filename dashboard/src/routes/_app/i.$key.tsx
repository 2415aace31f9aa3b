import { createFileRoute } from '@tanstack/react-router';
import { IssueScreen } from '../../features/issues/detail/issue-screen';
import { issueQuery } from '../../features/issues/queries';

export const Route = createFileRoute('/_app/i/$key')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(issueQuery(params.key)),
  component: Issue,
});

function Issue() {
  return <IssueScreen issueId={Route.useParams().key} />;
}
