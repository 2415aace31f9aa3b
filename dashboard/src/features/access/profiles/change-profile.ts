import { bodyOf } from '../../../api/client';
import { asProblem } from '../../../api/problem';
import type { Profile } from '../../../api/types';
import { mcp } from '../../../session/elevated/client';

const MOST_TRIES = 5;

type Change = Partial<Pick<Profile, 'name' | 'agentIds' | 'entries'>>;

/**
 * Changes a profile as it is now. A request replaces all entries or all agents, so it carries the version that was read: when
 * another admin changed the profile meanwhile, it is read and changed again.
 */
export async function changeProfile(
  profileId: string,
  change: (current: Profile) => Change,
): Promise<Profile> {
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
