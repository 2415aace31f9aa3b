import type { CatalogEntryDetail } from '../../../api/types';

/**
 * The host that asks for the sign-in, as far as it is known before one begins: that of the issuer in the entry, or of the
 * server itself, which chooses the authorization server. Null where the address depends on values.
 */
export function signInHost({ manifest }: Pick<CatalogEntryDetail, 'manifest'>): string | null {
  if (!('url' in manifest)) return null;
  const issuer = manifest.oauth?.['issuer'];
  const address = typeof issuer === 'string' ? issuer : manifest.url;
  // A placeholder in the host is an invalid URL.
  return URL.canParse(address) ? new URL(address).host : null;
}
