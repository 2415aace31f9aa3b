import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { setsAuthorization } from '../catalog/launch-address-and-secret-rules.js';

/**
 * Whether a server asks for a sign-in by the challenge of its 401 (RFC 6750). A server that knows its callers by headers of
 * the entry may mean that their values are wrong, unless it says where it describes the sign-in (RFC 9728).
 */
export function asksForSignIn(
  challenge: string | null,
  { sendsHeaders }: { sendsHeaders: boolean },
): boolean {
  if (challenge === null || !/(^|,)\s*bearer(\s|,|$)/i.test(challenge)) return false;
  return !sendsHeaders || /\bresource_metadata\s*=/i.test(challenge);
}

/** Whether the entry says that a person has to sign in. Other servers may say so themselves, by their 401. */
export function demandsSignIn(entry: CatalogEntry): boolean {
  return entry.transport !== 'stdio' && entry.manifest.oauth?.grant === 'authorization_code';
}

/** Whether a person can sign in to a server of this entry at all. */
export function acceptsSignIn(entry: CatalogEntry): boolean {
  return whyNotOffered(entry) === null;
}

/** Returns why no person can sign in to a server of this entry, or null where one can (contract §3.7). */
export function whyNotOffered(entry: CatalogEntry): string | null {
  if (entry.transport === 'stdio') return 'A server that runs on this host has no sign-in.';
  if (entry.manifest.oauth?.grant === 'client_credentials')
    return 'The service signs in to this server by itself, with the credentials of the set.';
  if (setsAuthorization(entry))
    return 'The entry of this server sends a header Authorization: enter its values instead.';
  return null;
}
