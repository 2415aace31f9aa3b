import { createFileRoute, useNavigate } from '@tanstack/react-router';
import type { AttentionFilter } from '../../api/lists';
import { NeedsYouScreen } from '../../features/attention/needs-you-screen';
import { Page } from '../../parts/page';
import { hasRole, useMe } from '../../session/me';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const yes = (value: unknown): true | undefined => (value === true ? true : undefined);
const tabs = ['decide', 'review', 'broken'] as const;

export const Route = createFileRoute('/_app/')({
  validateSearch: (search: Record<string, unknown>): AttentionFilter => ({
    tab: tabs.find((tab) => tab === search['tab']),
    projectId: text(search['projectId']),
    agentId: text(search['agentId']),
    mine: yes(search['mine']),
    snoozed: yes(search['snoozed']),
    ids: Array.isArray(search['ids']) ? search['ids'].map(String) : undefined,
  }),
  component: NeedsYou,
});

/** Those who may not decide see what waits for others. */
function NeedsYou() {
  const acts = hasRole(useMe(), 'Editor');
  const filter = Route.useSearch();
  const navigate = useNavigate();
  return (
    <Page
      title={acts ? 'Needs you' : 'Waits for people'}
      lede="One row for each cause. What holds up the most stands first."
    >
      <NeedsYouScreen
        filter={filter}
        onFilter={(next) => void navigate({ to: '/', search: next, replace: true })}
      />
    </Page>
  );
}
