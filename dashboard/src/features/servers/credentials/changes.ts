import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../../../api/client';
import { mcp } from '../../../session/elevated/client';
import { useServerRefresh } from '../../../shared/mcp/changes';

/** Values by the names of their variables; null removes an optional one. */
export type Values = Record<string, string | null>;

const path = '/api/mcp/installed/{id}/credential-sets/{name}';

export function useCreateSet(id: string, done: (name: string) => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: (body: { name: string; envValues: Values }) =>
      bodyOf(mcp.POST('/api/mcp/installed/{id}/credential-sets', { params: { path: { id } }, body })),
    onSuccess: async (_, { name }) => {
      await refresh();
      done(name);
    },
  });
}

/** Merges values into a set. No value at all lets a set in error be tried again. */
export function useChangeSet(id: string, name: string, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: (envValues: Values) =>
      bodyOf(mcp.PUT(path, { params: { path: { id, name } }, body: { envValues } })),
    onSuccess: async () => {
      await refresh();
      done();
    },
  });
}

export function useRevokeSet(id: string, name: string, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: () => bodyOf(mcp.POST(`${path}/revoke`, { params: { path: { id, name } } })),
    onSuccess: async () => {
      done();
      await refresh();
    },
  });
}

export function useDeleteSet(id: string, name: string, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: () => mcp.DELETE(path, { params: { path: { id, name } } }),
    onSuccess: async () => {
      done();
      await refresh();
    },
  });
}
