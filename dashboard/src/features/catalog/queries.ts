import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import { announce, announceRefusal } from '../../parts/toasts';
import { mcp } from '../../session/elevated/client';

/** All entries of the catalogue by id. */
export const catalogQuery = queryOptions({
  queryKey: [...keys.catalog, 'list'],
  queryFn: () => bodyOf(mcp.GET('/api/mcp/catalog')),
});

/** The runtimes that the service finds on its host. */
export const runtimeQuery = queryOptions({
  queryKey: [...keys.catalog, 'runtime'],
  queryFn: () => bodyOf(mcp.GET('/api/mcp/runtime')),
});

/** Reads the catalogue's files and the host's runtimes again. */
export function useReload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await mcp.GET('/api/mcp/runtime', { params: { query: { refresh: true } } });
      return bodyOf(mcp.POST('/api/mcp/catalog/reload'));
    },
    onSuccess: async ({ entries }) => {
      announce(`The catalogue is read again: ${entries} entries`);
      await client.invalidateQueries({ queryKey: keys.catalog });
    },
    onError: (error) => announceRefusal('The former entries stay', error),
  });
}
