import { createFileRoute } from '@tanstack/react-router';
import { WebhookScreen } from '../../features/settings/webhooks/webhook-screen';
import { NeedsRole } from '../../session/me';

export const Route = createFileRoute('/_app/settings/webhooks/$id')({ component: Guarded });

function Guarded() {
  return (
    <NeedsRole role="Admin" to="see or change webhooks">
      <WebhookScreen webhookId={Route.useParams().id} />
    </NeedsRole>
  );
}
