import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Encryption } from '../../../platform/encryption/encryption.service.js';
import { KeyRing } from '../../../platform/encryption/key-ring.js';
import { SessionIdsService } from './session-ids.service.js';

const ringOf = (key: Buffer) => new KeyRing([{ id: 'k1', key }], 'k1') as unknown as Encryption;
const ids = new SessionIdsService(ringOf(randomBytes(32)));
const greeting = { protocolVersion: '2025-11-25', capabilities: { roots: { listChanged: true } } };

describe('the id of a session', () => {
  it('returns protocol version, capabilities and time of creation to its agent', () => {
    expect(ids.read(ids.issue('a', greeting), 'a')).toEqual({
      ...greeting,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('is unknown to another agent, with another key, and after any change', () => {
    const id = ids.issue('a', greeting);
    expect(ids.read(id, 'b')).toBeNull();
    expect(new SessionIdsService(ringOf(randomBytes(32))).read(id, 'a')).toBeNull();
    for (let at = 0; at < id.length; at += 1) {
      const changed = `${id.slice(0, at)}${id[at] === 'x' ? 'y' : 'x'}${id.slice(at + 1)}`;
      expect(ids.read(changed, 'a')).toBeNull();
    }
    for (const invented of ['', 'nothing', id.slice(0, -1), `${id}x`])
      expect(ids.read(invented, 'a')).toBeNull();
  });

  it('stays short, and consists of characters that a header may have, whatever the client sends', () => {
    const capabilities = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`capability${n}`, { about: 'ü'.repeat(500) }]),
    );
    const id = ids.issue('a', { protocolVersion: 'x'.repeat(5_000), capabilities });
    expect(id).toMatch(/^[\x21-\x7e]{1,1000}$/);
    expect(ids.read(id, 'a')).toMatchObject({
      protocolVersion: '2025-03-26',
      capabilities: { capability0: {} },
    });
  });
});
