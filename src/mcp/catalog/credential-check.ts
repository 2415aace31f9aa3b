import type { CatalogEntry } from './catalog-entry.js';

/** Returns one sentence on what a verification proves about the credentials of a server; null where it reads none. */
export function credentialCheckOf({ environmentVariables, manifest }: CatalogEntry): string | null {
  if (!environmentVariables.some(({ isSecret }) => isSecret)) return null;
  if (manifest.credentialProbe)
    return `Verify calls ${manifest.credentialProbe.tool}, which fails with a wrong credential.`;
  return uncheckedBecause(manifest.noProbeReason);
}

/** Returns the sentence for an entry without a credential probe. */
export function uncheckedBecause(reason: string | null | undefined): string {
  return reason
    ? `Verify cannot check this credential because ${reason}.`
    : 'Verify cannot check this credential because the entry names no harmless call that needs it.';
}
