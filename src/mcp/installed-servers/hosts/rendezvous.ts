import { createHash } from 'node:crypto';

/**
 * Orders hosts for a key by rendezvous hashing: every process computes the same order, and a host that comes or goes
 * moves only the keys that it had or gets. The address counts, so that a host that starts again gets the servers whose
 * data it has. A call goes to the first host, and to the next one where that is gone.
 */
export function rendezvous<Host extends { address: string }>(hosts: readonly Host[], key: string): Host[] {
  return hosts
    .map((host) => ({ host, weight: weightOf(host.address, key) }))
    .toSorted((a, b) => (a.weight < b.weight ? 1 : a.weight > b.weight ? -1 : 0))
    .map(({ host }) => host);
}

function weightOf(address: string, key: string): string {
  return createHash('sha256').update(`${address}\n${key}`).digest('hex');
}
