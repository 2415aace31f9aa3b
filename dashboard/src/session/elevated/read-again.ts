import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../../api/keys';

/** Reads again what could not be read without the key of elevated mode. */
export function readAgain(client: QueryClient): Promise<unknown> {
  const roots = [keys.servers, keys.catalog, keys.access, keys.calls];
  return Promise.all(roots.map((queryKey) => client.invalidateQueries({ queryKey })));
}
