import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { fleetViewOf } from '../../features/agents/fleet/fleet-order';
import { FleetScreen } from '../../features/agents/fleet/fleet-screen';

/** The words of the address. */
interface FleetSearch {
  q?: string | undefined;
  state?: string | undefined;
  sort?: string | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const Route = createFileRoute('/_app/agents/')({
  // Which words mean something is decided by the screen, which is loaded later.
  validateSearch: (search: Record<string, unknown>): FleetSearch => ({
    q: text(search['q']),
    state: text(search['state']),
    sort: text(search['sort']),
  }),
  component: Agents,
});

function Agents() {
  const navigate = useNavigate();
  return (
    <FleetScreen
      view={fleetViewOf(Route.useSearch())}
      onView={(search) => void navigate({ to: '/agents', search, replace: true, resetScroll: false })}
    />
  );
}
