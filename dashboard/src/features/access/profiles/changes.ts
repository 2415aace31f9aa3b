import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../../../api/client';
import type { Profile } from '../../../api/types';
import { announce } from '../../../parts/toasts';
import { mcp } from '../../../session/elevated/client';
import { useServerRefresh } from '../../../shared/mcp/changes';
import { entriesAfter, type Edits } from '../edits';

const path = '/api/mcp/profiles/{profileId}';

/** Saves the edited entries of a profile. Entries replace all, so they are read first: another admin may have added some. */
export async function saveEntries(profileId: string, edits: Edits): Promise<Profile> {
  const params = { path: { profileId } };
  const current = await bodyOf(mcp.GET(path, { params }));
  return bodyOf(mcp.PUT(path, { params, body: { entries: entriesAfter(current, edits) } }));
}

export interface ProfileFields {
  name: string;
  agentIds: string[];
}

/** Creates a profile, or changes the name and the agents of one. */
export function useSaveProfile(profileId: string | null, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: (body: ProfileFields) =>
      bodyOf(
        profileId === null
          ? mcp.POST('/api/mcp/profiles', { body })
          : mcp.PUT(path, { params: { path: { profileId } }, body }),
      ),
    onSuccess: async ({ name }) => {
      announce(
        `${name} is ${profileId === null ? 'created' : 'saved'}`,
        profileId === null ? 'Choose its servers in its row.' : undefined,
      );
      await refresh();
      done();
    },
  });
}

export function useDeleteProfile({ id: profileId, name }: Profile, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: () => mcp.DELETE(path, { params: { path: { profileId } } }),
    onSuccess: async () => {
      announce(`${name} is deleted`);
      done();
      await refresh();
    },
  });
}
