import { createFileRoute } from '@tanstack/react-router';
import { WebhooksScreen } from '../../features/settings/webhooks/webhooks-screen';
import { NeedsRole } from '../../session/me';

export const Route = createFileRoute('/_app/settings/webhooks/')({ component: Guarded });

function Guarded() {
  return (
    <NeedsRole role="Admin" to="see or change webhooks">
      <WebhooksScreen />
    </NeedsRole>
  );
}
