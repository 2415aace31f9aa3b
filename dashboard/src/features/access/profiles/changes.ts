import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../../../api/client';
import type { Profile } from '../../../api/types';
import { announce } from '../../../parts/toasts';
import { mcp } from '../../../session/elevated/client';
import { useServerRefresh } from '../../../shared/mcp/changes';
import { entriesAfter, type Edits } from '../edits';
import { agentsAfter } from './agents-after';
import { changeProfile } from './change-profile';

/** Saves the edited entries of a profile. */
export function saveEntries(profileId: string, edits: Edits): Promise<Profile> {
  return changeProfile(profileId, (current) => ({ entries: entriesAfter(current, edits) }));
}

export interface ProfileFields {
  name: string;
  agentIds: string[];
}

/** Creates a profile, or changes the name and the agents of one as it was opened. */
export function useSaveProfile(profile: Profile | null, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: ({ name, agentIds }: ProfileFields) =>
      profile === null
        ? bodyOf(mcp.POST('/api/mcp/profiles', { body: { name, agentIds } }))
        : changeProfile(profile.id, (current) => ({
            ...(name !== profile.name && { name }),
            agentIds: agentsAfter(current.agentIds, profile.agentIds, agentIds),
          })),
    onSuccess: async ({ name }) => {
      announce(
        `${name} is ${profile === null ? 'created' : 'saved'}`,
        profile === null ? 'Choose its servers in its row.' : undefined,
      );
      await refresh();
      done();
    },
  });
}

export function useDeleteProfile({ id: profileId, name }: Profile, done: () => void) {
  const refresh = useServerRefresh();
  return useMutation({
    mutationFn: () => mcp.DELETE('/api/mcp/profiles/{profileId}', { params: { path: { profileId } } }),
    onSuccess: async () => {
      announce(`${name} is deleted`);
      done();
      await refresh();
    },
  });
}
