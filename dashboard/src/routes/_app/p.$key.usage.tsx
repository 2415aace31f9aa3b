import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { projectsQuery } from '../../api/lists';
import { hasRole, useMe } from '../../session/me';
import { BudgetCard } from '../../shared/usage/budget-card';
import { type UsageSubject, type UsageView, usageViewOf } from '../../shared/usage/queries';
import { UsageScreen } from '../../shared/usage/usage-screen';

export const Route = createFileRoute('/_app/p/$key/usage')({
  validateSearch: usageViewOf,
  component: Usage,
});

function Usage() {
  const { key } = Route.useParams();
  const project = useSuspenseQuery(projectsQuery).data.find((one) => one.key === key);
  const admin = hasRole(useMe(), 'Admin');
  const view = Route.useSearch();
  const navigate = useNavigate();
  if (project === undefined) return null;
  const subject: UsageSubject = { kind: 'project', id: project.id };
  return (
    <UsageScreen
      subject={subject}
      by={['agent', 'day', 'issue', 'model']}
      recent={project.usage}
      view={view}
      onView={(search: UsageView) =>
        void navigate({ to: '/p/$key/usage', params: { key }, search, replace: true, resetScroll: false })
      }
      budget={admin && <BudgetCard subject={subject} />}
    />
  );
}
