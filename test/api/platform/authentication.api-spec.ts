import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { anonymous, asAgent, asEditor, withKey } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';

const service = useService();
const unauthenticated = {
  ...refused(401, 'unauthenticated'),
  headers: { 'www-authenticate': 'Bearer realm="awp"' },
};
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Computes the checksum of the contract independently of the service: CRC32 as 6 base62 digits. */
function checksumOf(text: string): string {
  let rest = BigInt(crc32(text));
  let digits = '';
  for (let at = 0; at < 6; at++, rest /= 62n) digits = DIGITS[Number(rest % 62n)] + digits;
  return digits;
}

describe('a credential', () => {
  it('is requested with the one challenge of the service', async () => {
    expect(await anonymous(service).get('/api/auth/me')).toMatchObject(unauthenticated);
  });

  it.each([
    ['an unknown key', `Bearer awp_u_${'a'.repeat(43)}${checksumOf(`awp_u_${'a'.repeat(43)}`)}`],
    ['a key with a wrong checksum', `Bearer awp_u_${'a'.repeat(49)}`],
    ['something else of the length of the first key', `Bearer ${randomBytes(32).toString('hex')}`],
    ['a short word', 'Bearer x'],
    ['nothing', 'Bearer '],
    ['another scheme', 'Basic b3duZXI6cGFzc3dvcmQ='],
    ['no scheme', 'awp_u_x'],
    ['NUL', 'Bearer %00'],
  ])('is refused with the same response: %s', async (_, authorization) => {
    const answer = await anonymous(service).get('/api/auth/me', { headers: { authorization } });
    expect(answer).toMatchObject(unauthenticated);
    const { requestId: mine, ...body } = answer.body;
    const { requestId: other, ...plain } = (await anonymous(service).get('/api/auth/me')).body;
    expect(body).toEqual(plain);
    expect(mine).not.toEqual(other);
  });

  it('is accepted only in the Authorization header', async () => {
    const key = service.ownerKey;
    expect(await anonymous(service).get(`/api/auth/me?access_token=${key}`)).toMatchObject(unauthenticated);
    const body = { key: 'TOKEN', name: 'x', access_token: key };
    expect(await anonymous(service).post('/api/projects', body)).toMatchObject(unauthenticated);
    const form = {
      rawBody: `access_token=${key}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    expect(await anonymous(service).post('/api/projects', undefined, form)).toMatchObject(unauthenticated);
    expect(
      await anonymous(service).get('/api/auth/me', { headers: { cookie: `access_token=${key}` } }),
    ).toMatchObject(unauthenticated);
  });

  it('is accepted with its scheme in any case', async () => {
    const answer = await anonymous(service).get('/api/auth/me', {
      headers: { authorization: `bearer ${service.ownerKey}` },
    });
    expect(answer.status).toBe(200);
  });
});

describe('GET /api/auth/me', () => {
  it('returns the identity of a user', async () => {
    const editor = await asEditor(service);
    expect((await editor.get('/api/auth/me')).body).toEqual({
      type: 'user',
      id: editor.id,
      name: editor.name,
      email: expect.stringContaining('@'),
      role: 'Editor',
      keyExpiresAt: expect.stringMatching(/^20\d\d-.*Z$/),
    });
  });

  it('returns the identity of an agent, whose key does not expire', async () => {
    const agent = await asAgent(service);
    expect((await agent.get('/api/auth/me')).body).toEqual({
      type: 'agent',
      id: agent.id,
      name: agent.name,
      keyExpiresAt: null,
    });
  });
});

describe('the first Owner', () => {
  it('is created from the settings, with the exact key', async () => {
    expect((await service.owner.get('/api/auth/me')).body).toMatchObject({
      email: 'owner@example.com',
      role: 'Owner',
    });
    expect(service.log).not.toContain(service.ownerKey);
  });

  it('is created once: a second start with another key creates no user', async () => {
    const other = await service.second({
      BOOTSTRAP_OWNER_API_KEY: 'x'.repeat(40),
      BOOTSTRAP_OWNER_EMAIL: 'b@example.com',
    });
    expect(await withKey(other, 'x'.repeat(40)).get('/api/auth/me')).toMatchObject(unauthenticated);
    expect((await withKey(other, service.ownerKey).get('/api/auth/me')).status).toBe(200);
    expect(await service.sql(`SELECT 1 FROM users WHERE role = 'Owner'`)).toHaveLength(1);
  });
});

describe('a new key', () => {
  it('has the form of the contract, with a checksum over everything before it', async () => {
    const { body } = await service.owner.post<{ key: string; prefix: string }>('/api/auth/keys', {
      name: 'form',
    });
    expect(body.key).toMatch(/^awp_u_[0-9A-Za-z]{49}$/);
    expect(body.key.slice(-6)).toBe(checksumOf(body.key.slice(0, -6)));
    expect(body.prefix).toBe(body.key.slice(0, 12));
    const agent = await asAgent(service);
    expect(agent.key).toMatch(/^awp_a_[0-9A-Za-z]{49}$/);
    expect(agent.key?.slice(-6)).toBe(checksumOf(agent.key!.slice(0, -6)));
  });
});
