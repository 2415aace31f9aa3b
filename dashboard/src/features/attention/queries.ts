import { queryOptions } from '@tanstack/react-query';
import { api, pageOf } from '../../api/client';
import { keys } from '../../api/keys';

const SHOWN = 100;

/** Issues of all projects that wait for a person's decision, most urgent first, with how many there are. */
export const reviewsQuery = queryOptions({
  queryKey: [...keys.attention, 'reviews'],
  queryFn: () =>
    pageOf(
      api.GET('/api/projects/issues', {
        params: {
          query: { status: 'PendingReview', sort: '-priority', fields: 'summary', limit: SHOWN, count: true },
        },
      }),
    ),
});
