import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '../../../api/types';
import { Button, buttonClass } from '../../../parts/button';
import { Confirm } from '../../../parts/confirm';
import { Empty } from '../../../parts/empty';
import { Loaded } from '../../../parts/loaded';
import { useDeleteWebhook, useSetWebhookDisabled } from './changes';
import { Deliveries } from './deliveries';
import { webhookQuery } from './queries';
import { WebhookPill } from './webhook-table';
import styles from './webhooks.module.css';

/** One webhook with its delivery log. */
export function WebhookScreen({ webhookId }: { webhookId: string }) {
  return (
    <Loaded query={useQuery(webhookQuery(webhookId))} what="The webhook" missing={<MissingWebhook />}>
      {(webhook) => (
        <div className="stack">
          <Head webhook={webhook} />
          <Deliveries webhookId={webhookId} />
        </div>
      )}
    </Loaded>
  );
}

/** Below the title of the settings. */
function MissingWebhook() {
  return (
    <Empty
      icon="search"
      title="There is no such webhook"
      actions={
        <Link to="/settings/webhooks" className={buttonClass()}>
          All webhooks
        </Link>
      }
    >
      It was deleted, or the address has a typing error.
    </Empty>
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
