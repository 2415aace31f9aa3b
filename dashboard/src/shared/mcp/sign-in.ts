import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../../api/client';
import { mcp } from '../../session/elevated/client';

/**
 * Begins a sign-in at the authorization server of a remote server, and leads the browser there.
 * @param returnTo the page that the browser comes back to
 */
export function useSignIn(id: string, name: string, returnTo: string) {
  return useMutation({
    mutationFn: () =>
      bodyOf(
        mcp.POST('/api/mcp/installed/{id}/credential-sets/{name}/sign-in', {
          params: { path: { id, name } },
          body: { returnTo },
        }),
      ),
    onSuccess: ({ authorizationUrl }) => location.assign(authorizationUrl),
  });
}
