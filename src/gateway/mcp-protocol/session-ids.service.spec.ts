import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Encryption } from '../../platform/encryption/encryption.service.js';
import { KeyRing } from '../../platform/encryption/key-ring.js';
import { type SessionHolder, SessionIdsService } from './session-ids.service.js';

const ringOf = (key: Buffer) => new KeyRing([{ id: 'k1', key }], 'k1') as unknown as Encryption;
const ids = new SessionIdsService(ringOf(randomBytes(32)));
const [agent, other] = ['a', 'b'].map((id) => ({ id, lease: null })) as [SessionHolder, SessionHolder];
const greeting = { protocolVersion: '2025-11-25', capabilities: { roots: { listChanged: true } } };

describe('the id of a session', () => {
  it('returns protocol version, capabilities and time of creation to its agent', () => {
    expect(ids.read(ids.issue(agent, greeting), agent)).toEqual({
      ...greeting,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('is unknown to another agent, with another key, and after any change', () => {
    const id = ids.issue(agent, greeting);
    expect(ids.read(id, other)).toBeNull();
    expect(new SessionIdsService(ringOf(randomBytes(32))).read(id, agent)).toBeNull();
    for (let at = 0; at < id.length; at += 1) {
      const changed = `${id.slice(0, at)}${id[at] === 'x' ? 'y' : 'x'}${id.slice(at + 1)}`;
      expect(ids.read(changed, agent)).toBeNull();
    }
    for (const invented of ['', 'nothing', id.slice(0, -1), `${id}x`])
      expect(ids.read(invented, agent)).toBeNull();
  });

  it('is unknown to the agent itself and to its other leases, where it was made for one lease', () => {
    const [first, second] = [1, 2].map((token) => ({ ...agent, lease: { issueId: 'i', token } }));
    const id = ids.issue(first!, greeting);
    expect(ids.read(id, first!)).toMatchObject(greeting);
    for (const holder of [agent, second!]) expect(ids.read(id, holder)).toBeNull();
  });

  it('stays short, and consists of characters that a header may have, whatever the client sends', () => {
    const capabilities = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`capability${n}`, { about: 'ü'.repeat(500) }]),
    );
    const id = ids.issue(agent, { protocolVersion: 'x'.repeat(5_000), capabilities });
    expect(id).toMatch(/^[\x21-\x7e]{1,1000}$/);
    expect(ids.read(id, agent)).toMatchObject({
      protocolVersion: '2025-03-26',
      capabilities: { capability0: {} },
    });
  });
});
