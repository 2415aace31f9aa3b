import { queryOptions } from '@tanstack/react-query';
import { bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
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
