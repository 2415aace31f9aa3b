import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../../api/client';
import type { Server, UpgradedServer } from '../../api/types';
import { announce, announceRefusal } from '../../parts/toasts';
import { mcp } from '../../session/elevated/elevated-mode';
import { useServerRefresh } from '../../shared/mcp/queries';

/** Switches a server on or off. */
export function useSwitch(server: Server) {
  const refresh = useServerRefresh();
  const on = server.status === 'disabled';
  return useMutation({
    mutationFn: () => {
      const params = { path: { id: server.id } };
      return on
        ? mcp.POST('/api/mcp/installed/{id}/enable', { params })
        : mcp.POST('/api/mcp/installed/{id}/disable', { params });
    },
    onSuccess: async () => {
      announce(`${server.name} is ${on ? 'enabled' : 'disabled'}`);
      await refresh();
    },
    onError: (error) => announceRefusal(`${server.name} was not ${on ? 'enabled' : 'disabled'}`, error),
  });
}

/** Changes the name that people see. */
export function useRename(id: string, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: (body: { name: string }) =>
      bodyOf(mcp.PUT('/api/mcp/installed/{id}', { params: { path: { id } }, body })),
    onSuccess: async () => {
      await refresh();
      done();
    },
  });
}

/** Reports what an upgrade would do (`dryRun`), or does it. */
export function useUpgrade(id: string, dryRun: boolean) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: (): Promise<UpgradedServer> =>
      bodyOf(mcp.POST('/api/mcp/installed/{id}/upgrade', { params: { path: { id }, query: { dryRun } } })),
    onSuccess: () => (dryRun ? undefined : refresh()),
  });
}

export function useRemove(id: string, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: () => mcp.DELETE('/api/mcp/installed/{id}', { params: { path: { id } } }),
    onSuccess: () => {
      done();
      return refresh();
    },
  });
}

/** Approves tools as they were read: where the server has listed another text since, none of them is approved. */
export function useApprove(id: string) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: (read: readonly { name: string; hash: string }[]) => {
      const body = { names: read.map(({ name }) => name), hashes: read.map(({ hash }) => hash) };
      return bodyOf(mcp.POST('/api/mcp/installed/{id}/tools/approve', { params: { path: { id } }, body }));
    },
    onSettled: refresh,
    onError: (error) => announceRefusal('The tools were not approved', error),
  });
}
