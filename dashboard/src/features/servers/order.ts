import type { Server } from '../../api/types';

const rank = (server: Server): number => {
  if (server.status === 'error') return 0;
  if (server.missingEnv.length > 0) return 1;
  if (server.status === 'enabled') return 2;
  return 3;
};

/** Servers that fail first, then those that lack a value, then enabled ones, then disabled ones; by name within each. */
export function inOrderOfNeed(servers: readonly Server[]): Server[] {
  return servers.toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}
