import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';

/** What part of a project's graph is shown; it lives in the address. */
export interface GraphView {
  /** The key of the issue in the middle. */
  focus?: string | undefined;
  depth: number;
  done: boolean;
}

/** More cannot be read on one screen; the service says how many issues each node hides. */
const SHOWN = 80;

export const graphQuery = (projectId: string, { focus, depth, done }: GraphView) =>
  queryOptions({
    queryKey: [...keys.issueLists, projectId, 'graph', { focus, depth, done }],
    queryFn: () =>
      bodyOf(
        api.GET('/api/projects/{projectId}/graph', {
          params: {
            path: { projectId },
            query: { depth, done, limit: SHOWN, ...(focus === undefined ? {} : { focus }) },
          },
        }),
      ),
    // The graph before stays until the next one is there.
    placeholderData: keepPreviousData,
  });
