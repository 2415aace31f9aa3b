import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf, pageOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import type { Delivery, Webhook } from '../../../api/types';
import { Button, buttonClass } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Confirm } from '../../../parts/dialog';
import { Empty, Loaded } from '../../../parts/notice';
import type { IconName } from '../../../parts/icon';
import { Pill, type Tone } from '../../../parts/status';
import { Table } from '../../../parts/table';
import { Ago, shortTime } from '../../../parts/time';
import { announce, announceRefusal } from '../../../parts/toasts';
import { WebhookPill } from './webhooks-screen';
import styles from './webhooks.module.css';

interface DeliveryWords {
  word: string;
  tone: Tone;
  icon: IconName;
  /** What the last try brought, and what follows. */
  reason: string;
}

/** How a delivery went, in words. */
export function deliveryWords({ status, attempts, nextAttemptAt }: Delivery): DeliveryWords {
  const last = attempts.at(-1);
  const outcome = last === undefined ? 'Not tried yet' : outcomeOf(last);
  const tries = attempts.length > 1 ? ` after ${attempts.length} tries` : '';
  if (status === 'succeeded')
    return { word: 'Delivered', tone: 'resolved', icon: 'resolved', reason: `${outcome}${tries}` };
  if (status === 'failed')
    return { word: 'Failed', tone: 'danger', icon: 'error', reason: `${outcome}${tries}` };
  const next = nextAttemptAt === null ? '' : `; next try ${shortTime(nextAttemptAt)}`;
  return { word: 'Pending', tone: 'waiting', icon: 'clock', reason: `${outcome}${tries}${next}` };
}

function outcomeOf({ status, error, durationMs }: Delivery['attempts'][number]): string {
  // The error is a sentence of the service; what follows it here continues the line.
  if (error !== null) return error.replace(/\.$/u, '');
  return status === null ? 'No response' : `HTTP ${status} in ${durationMs} ms`;
}

const PAGE = 200;

/** The delivery log of a webhook, oldest first, as the service keeps it. */
const deliveriesQuery = (webhookId: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.webhooks, 'deliveries', webhookId],
    queryFn: ({ pageParam }) =>
      pageOf(
        api.GET('/api/webhooks/{webhookId}/deliveries', {
          params: {
            path: { webhookId },
            query: { limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });

/** The delivery log, newest first as far as it is loaded: the service pages it from the oldest. */
function Deliveries({ webhookId }: { webhookId: string }) {
  const log = useInfiniteQuery(deliveriesQuery(webhookId));
  const deliveries = log.data?.pages.flatMap(({ rows }) => rows).toReversed() ?? [];
  return (
    <Loaded query={log} what="The deliveries">
      {() => (
        <Card
          title="Deliveries"
          actions={
            <>
              {log.hasNextPage && (
                <Button small busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                  Load newer
                </Button>
              )}
              <Button small icon="refresh" busy={log.isRefetching} onClick={() => void log.refetch()}>
                Refresh
              </Button>
            </>
          }
          flush
        >
          {deliveries.length === 0 ? (
            <Empty icon="clock" title="Nothing was sent yet">
              Deliveries appear here when an event of the chosen types happens.
            </Empty>
          ) : (
            <Table label="Deliveries" columns={['Event', 'Result', 'Last try', 'Happened', '']}>
              {deliveries.map((delivery) => (
                <Row key={delivery.id} delivery={delivery} />
              ))}
            </Table>
          )}
        </Card>
      )}
    </Loaded>
  );
}

function useRedeliver({ id: deliveryId, webhookId, type }: Delivery) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api.POST('/api/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', {
        params: { path: { webhookId, deliveryId } },
      }),
    onSuccess: () => announce(`${type} is sent again`),
    onError: (error) => announceRefusal(`${type} was not sent again`, error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.webhooks }),
  });
}

function Row({ delivery }: { delivery: Delivery }) {
  const { word, tone, icon, reason } = deliveryWords(delivery);
  const redeliver = useRedeliver(delivery);
  return (
    <tr>
      <td>
        <code>{delivery.type}</code>
      </td>
      <td data-label="Result">
        <Pill tone={tone} icon={icon}>
          {word}
        </Pill>
      </td>
      <td data-label="Last try" className="soft">
        {reason}
      </td>
      <td data-label="Happened" className="soft">
        <Ago iso={delivery.createdAt} />
      </td>
      <td>
        <Button
          small
          busy={redeliver.isPending}
          aria-label={`Send ${delivery.type} again`}
          onClick={() => redeliver.mutate()}
        >
          Send again
        </Button>
      </td>
    </tr>
  );
}

const webhookQuery = (webhookId: string) =>
  queryOptions({
    queryKey: [...keys.webhooks, 'one', webhookId],
    queryFn: () => bodyOf(api.GET('/api/webhooks/{webhookId}', { params: { path: { webhookId } } })),
  });

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

function useSetWebhookDisabled({ id: webhookId }: Webhook) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (disabled: boolean) =>
      bodyOf(api.PUT('/api/webhooks/{webhookId}', { params: { path: { webhookId } }, body: { disabled } })),
    onSuccess: (_, disabled) => announce(`The webhook is ${disabled ? 'disabled' : 'enabled'}`),
    onError: (error) => announceRefusal('The webhook was not changed', error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.webhooks }),
  });
}

/** What the service has seen, and what a person can do. */
const whyDisabled = {
  gone: 'Its address answered 410 Gone, so nothing is sent there any more. Change the address and enable it, or delete it.',
  not_found:
    'Its address answered 404 for a day, so nothing is sent there any more. Change the address and enable it, or delete it.',
};

function Head({ webhook }: { webhook: Webhook }) {
  const [deleting, setDeleting] = useState(false);
  const setDisabled = useSetWebhookDisabled(webhook);
  const { url, description, disabled, disabledReason } = webhook;
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
        {disabledReason && <p className="soft">{whyDisabled[disabledReason]}</p>}
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

function useDeleteWebhook({ id: webhookId }: Webhook, onDeleted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/api/webhooks/{webhookId}', { params: { path: { webhookId } } }),
    onSuccess: async () => {
      announce('The webhook is deleted');
      onDeleted();
      await client.invalidateQueries({ queryKey: [...keys.webhooks, 'list'] });
    },
  });
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
