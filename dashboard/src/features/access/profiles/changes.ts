import { useMutation } from '@tanstack/react-query';
import { bodyOf } from '../../../api/client';
import { asProblem } from '../../../api/problem';
import type { Profile } from '../../../api/types';
import { announce } from '../../../parts/toasts';
import { mcp } from '../../../session/elevated/elevated-mode';
import { useServerRefresh } from '../../../shared/mcp/queries';
import { type Edits, entriesAfter } from '../grants';

const MOST_TRIES = 5;

type Change = Partial<Pick<Profile, 'name' | 'agentIds' | 'entries'>>;

/**
 * Changes a profile as it is now. A request replaces all entries or all agents, so it carries the version that was read: when
 * another admin changed the profile meanwhile, it is read and changed again.
 */
async function changeProfile(profileId: string, change: (current: Profile) => Change): Promise<Profile> {
  const path = { profileId };
  for (let tries = 1; ; tries += 1) {
    // The version stays when an agent or a server of the profile is removed, and the browser may hold the answer of before.
    const read = { params: { path }, cache: 'no-store' } as const;
    const current = await bodyOf(mcp.GET('/api/mcp/profiles/{profileId}', read));
    const params = { path, header: { 'If-Match': `"${current.version}"` } };
    try {
      return await bodyOf(mcp.PUT('/api/mcp/profiles/{profileId}', { params, body: change(current) }));
    } catch (error) {
      if (tries === MOST_TRIES || asProblem(error).code !== 'version_mismatch') throw error;
    }
  }
}

/**
 * The agents of a profile after a person has chosen: only what the person changed since the list was opened changes, and what
 * another admin changed meanwhile stays.
 */
export function agentsAfter(
  current: readonly string[],
  opened: readonly string[],
  chosen: readonly string[],
): string[] {
  const [before, after] = [new Set(opened), new Set(chosen)];
  const kept = current.filter((id) => after.has(id) || !before.has(id));
  const added = chosen.filter((id) => !before.has(id) && !kept.includes(id));
  return [...kept, ...added];
}

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
