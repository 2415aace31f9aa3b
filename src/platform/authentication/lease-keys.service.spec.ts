import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Encryption } from '../encryption/encryption.service.js';
import { KeyRing } from '../encryption/key-ring.js';
import { Unauthenticated } from './authentication.errors.js';
import { LeaseKeysService } from './lease-keys.service.js';

const [first, second] = [randomBytes(32), randomBytes(32)];
const withoutAgents = { query: async () => [] } as unknown as DataSource;

function keysOf(primary: string, ...keys: { id: string; key: Buffer }[]): LeaseKeysService {
  const ring = new KeyRing(keys, primary);
  const encryption = { primaryKeyId: primary, mac: ring.mac.bind(ring) } as unknown as Encryption;
  return new LeaseKeysService(encryption, withoutAgents);
}

const keys = keysOf('k1', { id: 'k1', key: first });
const lease = { agentId: uuidv7(), issueId: uuidv7(), token: 7 };

describe('a lease key', () => {
  it('is the same for the same lease, and returns agent, issue and token', () => {
    const key = keys.keyOf(lease);
    expect(key).toMatch(/^awp_l_k1_[\w-]{94}$/);
    expect(keysOf('k1', { id: 'k1', key: first }).keyOf(lease)).toBe(key);
    expect(keys.leaseOf(key)).toEqual(lease);
  });

  it('differs by agent, issue and token', () => {
    const others = [
      { ...lease, agentId: uuidv7() },
      { ...lease, issueId: uuidv7() },
      { ...lease, token: 8 },
    ];
    expect(new Set([lease, ...others].map((each) => keys.keyOf(each))).size).toBe(4);
  });

  it('is refused after any change of a character, cut off, or made longer', () => {
    const key = keys.keyOf(lease);
    for (let at = 0; at < key.length; at += 1) {
      const changed = `${key.slice(0, at)}${key[at] === 'x' ? 'y' : 'x'}${key.slice(at + 1)}`;
      expect(() => keys.leaseOf(changed)).toThrow(Unauthenticated);
    }
    for (const invented of ['awp_l_', key.slice(0, -1), `${key}A`, key.replace('_k1_', '_k2_')])
      expect(() => keys.leaseOf(invented)).toThrow(Unauthenticated);
  });

  it('is good while the key ring holds the key that signed it, and no longer', () => {
    const key = keys.keyOf(lease);
    const rotated = keysOf('k2', { id: 'k1', key: first }, { id: 'k2', key: second });
    expect(rotated.leaseOf(key)).toEqual(lease);
    expect(rotated.keyOf(lease)).not.toBe(key);
    expect(() => keysOf('k2', { id: 'k2', key: second }).leaseOf(key)).toThrow(Unauthenticated);
    expect(() => keysOf('k1', { id: 'k1', key: second }).leaseOf(key)).toThrow(Unauthenticated);
  });

  it('of a retired agent is refused', async () => {
    await expect(keys.principalOf(keys.keyOf(lease))).rejects.toThrow(Unauthenticated);
  });
});
