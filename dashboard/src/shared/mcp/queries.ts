import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { ApproverRole, Ask, Verification } from '../../api/types';
import { mcp } from '../../session/elevated/elevated-mode';

/** All installed servers, oldest first. */
export const serversQuery = queryOptions({
  queryKey: [...keys.servers, 'list'],
  queryFn: () => bodyOf(mcp.GET('/api/mcp/installed')),
});

export const serverQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.servers, 'one', id],
    queryFn: () => bodyOf(mcp.GET('/api/mcp/installed/{id}', { params: { path: { id } } })),
  });

/** The last 50 verifications of a server, newest first. */
export const verificationsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.servers, 'one', id, 'verifications'],
    queryFn: () => bodyOf(mcp.GET('/api/mcp/installed/{id}/verifications', { params: { path: { id } } })),
  });

/** The tools of a server as last listed, by name. */
export const toolsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.servers, 'one', id, 'tools'],
    queryFn: () => bodyOf(mcp.GET('/api/mcp/installed/{id}/tools', { params: { path: { id } } })),
  });

/** The credential sets of a server: `default` first, the others by name. */
export const credentialSetsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.servers, 'one', id, 'credential-sets'],
    queryFn: () => bodyOf(mcp.GET('/api/mcp/installed/{id}/credential-sets', { params: { path: { id } } })),
  });

export const catalogEntryQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.catalog, 'one', id],
    queryFn: () => bodyOf(mcp.GET('/api/mcp/catalog/{id}', { params: { path: { id } } })),
  });

/** Every agent and server with the grants between them. */
export const accessMatrixQuery = queryOptions({
  queryKey: keys.access,
  queryFn: () => bodyOf(mcp.GET('/api/mcp/access')),
});

/** All profiles with their entries and agents, by name. */
export const profilesQuery = queryOptions({
  queryKey: [...keys.access, 'profiles'],
  queryFn: () => bodyOf(mcp.GET('/api/mcp/profiles')),
});

/**
 * Begins a sign-in at the authorization server of a remote server, and leads the browser there. A person who comes back
 * from there by the button of the browser finds the page as it was left, and may begin again.
 * @param returnTo the page that the browser comes back to
 */
export function useSignIn(id: string, name: string, returnTo: string) {
  const signIn = useMutation({
    mutationFn: () =>
      bodyOf(
        mcp.POST('/api/mcp/installed/{id}/credential-sets/{name}/sign-in', {
          params: { path: { id, name } },
          body: { returnTo },
        }),
      ),
    onSuccess: ({ authorizationUrl }) => location.assign(authorizationUrl),
  });
  const { reset } = signIn;
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && reset();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [reset]);
  return signIn;
}

/** Verifies a server; it takes at most 30 seconds. A failure is a result, not an error. */
export function useVerify(id: string) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationKey: ['verify', id],
    mutationFn: (): Promise<Verification> =>
      bodyOf(mcp.POST('/api/mcp/installed/{id}/verify', { params: { path: { id } } })),
    onSettled: refresh,
  });
}

/** One agent's change of access to one server; `tools` null grants all approved tools. */
export interface AccessEntry {
  agentId: string;
  granted: boolean;
  /** With `granted: false`: false leaves the server to the profiles of the agent. */
  refused?: boolean;
  tools?: string[] | null;
  ask?: Ask;
  approverRole?: ApproverRole;
  credentialSet?: string;
}

/** Saves the access of several agents to one server: all entries or none. */
export function saveAccess(id: string, entries: AccessEntry[]) {
  return bodyOf(mcp.PUT('/api/mcp/installed/{id}/access', { params: { path: { id } }, body: { entries } }));
}

/** Returns a function that reads everything about servers and access again. */
export function useServerRefresh(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all([keys.servers, keys.access].map((queryKey) => client.invalidateQueries({ queryKey })));
}
