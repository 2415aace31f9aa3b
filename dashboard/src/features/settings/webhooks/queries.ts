import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, pageOf } from '../../../api/client';
import { keys } from '../../../api/keys';

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
