import { createFileRoute } from '@tanstack/react-router';
import { CallsScreen } from '../../shared/calls/call-list';
import { ElevatedGate } from '../../session/elevated/elevated-gate';

export const Route = createFileRoute('/_app/agents/$id/calls')({ component: Calls });

function Calls() {
  const { id } = Route.useParams();
  return (
    <ElevatedGate>
      <CallsScreen subject={{ kind: 'agent', id }} />
    </ElevatedGate>
  );
}
