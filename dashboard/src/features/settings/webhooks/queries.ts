import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, pageOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import type { Delivery, Webhook } from '../../../api/types';
import { announce, announceRefusal } from '../../../parts/toasts';

export interface NewWebhookFields {
  url: string;
  description: string;
  /** Types or areas, separated by commas or spaces; empty for all. */
  eventTypes: string;
  /** Empty for all projects. */
  projectId: string;
}

/** The types of a field in which people write them; null, which means all, where there are none. */
export function typesOf(text: string): string[] | null {
  const types = [...new Set(text.split(/[\s,]+/u).filter(Boolean))];
  return types.length === 0 ? null : types;
}

export function useCreateWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ url, description, eventTypes, projectId }: NewWebhookFields) =>
      bodyOf(
        api.POST('/api/webhooks', {
          body: { url, description, eventTypes: typesOf(eventTypes), projectId: projectId || null },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.webhooks }),
    // The response holds the secret; it is forgotten with the dialog.
    gcTime: 0,
  });
}

export function useSetWebhookDisabled({ id: webhookId }: Webhook) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (disabled: boolean) =>
      bodyOf(api.PUT('/api/webhooks/{webhookId}', { params: { path: { webhookId } }, body: { disabled } })),
    onSuccess: (_, disabled) => announce(`The webhook is ${disabled ? 'disabled' : 'enabled'}`),
    onError: (error) => announceRefusal('The webhook was not changed', error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.webhooks }),
  });
}

export function useDeleteWebhook({ id: webhookId }: Webhook, onDeleted: () => void) {
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

export function useRedeliver({ id: deliveryId, webhookId, type }: Delivery) {
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

const PAGE = 200;

export const webhooksQuery = queryOptions({
  queryKey: [...keys.webhooks, 'list'],
  queryFn: async () => (await pageOf(api.GET('/api/webhooks'))).rows,
});

export const webhookQuery = (webhookId: string) =>
  queryOptions({
    queryKey: [...keys.webhooks, 'one', webhookId],
    queryFn: () => bodyOf(api.GET('/api/webhooks/{webhookId}', { params: { path: { webhookId } } })),
  });

/** The delivery log of a webhook, oldest first, as the service keeps it. */
export const deliveriesQuery = (webhookId: string) =>
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
