import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Confirm } from '../../../parts/confirm';
import { ProblemNotice } from '../../../parts/notice';
import { Skeleton } from '../../../parts/skeleton';
import { useDeleteWebhook, useSetWebhookDisabled } from './changes';
import { Deliveries } from './deliveries';
import { webhookQuery } from './queries';
import { WebhookPill } from './webhook-table';
import styles from './webhooks.module.css';

/** One webhook with its delivery log. */
export function WebhookScreen({ webhookId }: { webhookId: string }) {
  const webhook = useQuery(webhookQuery(webhookId));
  if (webhook.isPending) return <Skeleton rows={3} label="Loading the webhook" />;
  if (webhook.isError)
    return (
      <ProblemNotice
        title="The webhook cannot be shown"
        error={webhook.error}
        onRetry={() => void webhook.refetch()}
      />
    );
  return (
    <div className="stack">
      <Head webhook={webhook.data} />
      <Deliveries webhookId={webhookId} />
    </div>
  );
}

function Head({ webhook }: { webhook: Webhook }) {
  const [deleting, setDeleting] = useState(false);
  const setDisabled = useSetWebhookDisabled(webhook);
  const { url, description, disabled } = webhook;
  return (
    <div className={styles.head}>
      <div>
        <p>
          <Link to="/settings/webhooks" className="link">
            All webhooks
          </Link>
        </p>
        <h2>{url}</h2>
        <p className="row soft">
          <WebhookPill disabled={disabled} /> {description}
        </p>
      </div>
      <div className="row">
        <Button busy={setDisabled.isPending} onClick={() => setDisabled.mutate(!disabled)}>
          {disabled ? 'Enable' : 'Disable'}
        </Button>
        <Button look="danger" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </div>
      {deleting && <DeleteWebhook webhook={webhook} onClose={() => setDeleting(false)} />}
    </div>
  );
}

function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useDeleteWebhook(webhook, () => void navigate({ to: '/settings/webhooks' }));
  return (
    <Confirm
      open
      onClose={onClose}
      title="Delete this webhook?"
      verb="Delete webhook"
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      error={remove.error}
    >
      <p>Nothing more is sent to {webhook.url}. Its delivery log goes with it. This cannot be undone.</p>
    </Confirm>
  );
}
