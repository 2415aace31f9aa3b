import { describe, expect, it } from '@jest/globals';
import { rendezvous } from './live-hosts.service.js';

const hosts = ['a', 'b', 'c', 'd'].map((address) => ({ address }));
const keys = Array.from({ length: 1_000 }, (_, n) => `server-${n}/shared`);
const first = (among: { address: string }[], key: string) => rendezvous(among, key)[0]?.address;

describe('rendezvous hashing', () => {
  it('gives the same order whatever the order of the list', () => {
    for (const key of keys.slice(0, 50))
      expect(rendezvous(hosts.toReversed(), key)).toEqual(rendezvous(hosts, key));
  });

  it('spreads keys over all hosts', () => {
    for (const { address } of hosts) {
      const share = keys.filter((key) => first(hosts, key) === address).length;
      expect(share).toBeGreaterThan(150);
      expect(share).toBeLessThan(350);
    }
  });

  it('moves only the keys of a host that goes, each to the next host of its order', () => {
    const left = hosts.filter(({ address }) => address !== 'b');
    for (const key of keys) {
      const [before, next] = rendezvous(hosts, key);
      expect(first(left, key)).toBe(before?.address === 'b' ? next?.address : before?.address);
    }
  });

  it('has no host where there is none', () => {
    expect(rendezvous([], 'server/shared')).toEqual([]);
  });
});
