import type { CatalogEntry } from '../../api/types';

/** Why an entry cannot be installed here. The service's sentence ends with a request that "Reload" makes on this page. */
export function reasonHere({ installableReason }: Pick<CatalogEntry, 'installableReason'>): string {
  return (installableReason ?? '').replace(
    / and look again with GET \S+$/,
    ', and press Reload in the catalogue.',
  );
}
