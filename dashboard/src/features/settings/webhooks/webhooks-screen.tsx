import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useActions } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Empty } from '../../../parts/empty';
import { ProblemNotice } from '../../../parts/notice';
import { Skeleton } from '../../../parts/skeleton';
import { CreateWebhook } from './create-webhook';
import { webhooksQuery } from './queries';
import { WebhookTable } from './webhook-table';

/** Where events are sent; Admins only. */
export function WebhooksScreen() {
  const webhooks = useQuery(webhooksQuery);
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  useActions([{ id: 'create-webhook', name: 'New webhook', icon: 'link', group: 'Create', perform: create }]);
  if (webhooks.isPending) return <Skeleton rows={2} label="Loading webhooks" />;
  if (webhooks.isLoadingError)
    return (
      <ProblemNotice
        title="The webhooks cannot be shown"
        error={webhooks.error}
        onRetry={() => void webhooks.refetch()}
      />
    );
  return (
    <>
      <Card
        title="Webhooks"
        count={webhooks.data.length}
        actions={
          <Button small icon="plus" onClick={create}>
            New webhook
          </Button>
        }
        flush
      >
        {webhooks.data.length === 0 ? (
          <Empty icon="link" title="No webhooks">
            A webhook sends events to an address of yours, signed, and tries again when it does not respond.
          </Empty>
        ) : (
          <WebhookTable webhooks={webhooks.data} />
        )}
      </Card>
      {creating && <CreateWebhook onClose={() => setCreating(false)} />}
    </>
  );
}
