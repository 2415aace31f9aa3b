import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { type ActivityFilter, ActivityScreen } from '../../features/activity/activity-screen';
import { Page } from '../../parts/page';
import { NeedsRole } from '../../session/me';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const Route = createFileRoute('/_app/activity')({
  validateSearch: (search: Record<string, unknown>): ActivityFilter => ({
    type: text(search['type']),
    actorId: text(search['actorId']),
  }),
  component: Activity,
});

function Activity() {
  const filter = Route.useSearch();
  const navigate = useNavigate();
  return (
    <Page title="Activity" lede="Who did what, newest first: changes, sign-ins, and what was refused.">
      <NeedsRole role="Admin" to="see who did what">
        <ActivityScreen
          filter={filter}
          onFilter={(search) => void navigate({ to: '/activity', search, replace: true })}
        />
      </NeedsRole>
    </Page>
  );
}
