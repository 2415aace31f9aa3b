import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useAgent } from '../../features/agents/queries';
import { hasRole, useMe } from '../../session/me';
import { BudgetCard } from '../../shared/usage/budget-card';
import { type UsageSubject, type UsageView, usageViewOf } from '../../shared/usage/queries';
import { UsageScreen } from '../../shared/usage/usage-screen';

export const Route = createFileRoute('/_app/agents/$id/usage')({
  validateSearch: usageViewOf,
  component: Usage,
});

function Usage() {
  const { id } = Route.useParams();
  const agent = useAgent(id);
  const admin = hasRole(useMe(), 'Admin');
  const view = Route.useSearch();
  const navigate = useNavigate();
  const subject: UsageSubject = { kind: 'agent', id };
  return (
    agent && (
      <UsageScreen
        subject={subject}
        by={['day', 'issue', 'project', 'model']}
        recent={agent.usage}
        view={view}
        onView={(search: UsageView) =>
          void navigate({
            to: '/agents/$id/usage',
            params: { id },
            search,
            replace: true,
            resetScroll: false,
          })
        }
        budget={admin && <BudgetCard subject={subject} />}
      />
    )
  );
}
