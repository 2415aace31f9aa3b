import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../support/caller.js';
import { anonymous, aPerson, PASSWORD, signedIn } from '../../support/callers.js';
import { useService } from '../../support/service.js';

const service = useService({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });

let last = 0;
const newAddress = () => `198.51.100.${(last += 1)}`;
const from = (address: string) => ({ 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': address });
const attempt = (email: string, password: string, address = newAddress(), at: Caller = anonymous(service)) =>
  at.post('/api/auth/login', { email, password }, { headers: from(address) });
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

describe('guessing passwords', () => {
  it('of one account ends after 10 failures, from wherever, and the right one does not help then', async () => {
    const person = await aPerson(service, 'Viewer');
    for (let guess = 0; guess < 10; guess++) expect((await attempt(person.email, 'wrong')).status).toBe(401);
    const refused = await attempt(person.email.toUpperCase(), PASSWORD);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(900);
    expect(refused.headers['set-cookie']).toBeUndefined();
  });

  it('of an account that nobody has ends just so', async () => {
    for (let guess = 0; guess < 10; guess++)
      expect((await attempt('no@example.com', 'wrong')).status).toBe(401);
    expect((await attempt('NO@example.com', 'wrong')).status).toBe(429);
  });

  it('from one address ends after 50 failures, whosever, and others go on', async () => {
    const person = await aPerson(service, 'Viewer');
    const address = newAddress();
    for (let guess = 0; guess < 50; guess++)
      expect((await attempt(`no${guess}@example.com`, 'wrong', address)).status).toBe(401);
    expect((await attempt(person.email, PASSWORD, address)).status).toBe(429);
    expect((await attempt(person.email, PASSWORD)).status).toBe(200);
  });

  it('many at once over two processes gets no further', async () => {
    const person = await aPerson(service, 'Viewer');
    const other = await service.second();
    const both = [anonymous(service), anonymous(other)];
    const answers = await Promise.all(
      times(40, (at) => attempt(person.email, 'wrong', newAddress(), both[at % 2])),
    );
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(10);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(30);
  });

  it('is over after the 15 minutes', async () => {
    const person = await aPerson(service, 'Viewer');
    for (let guess = 0; guess < 11; guess++) await attempt(person.email, 'wrong');
    expect((await attempt(person.email, PASSWORD)).status).toBe(429);
    await service.sql('UPDATE login_failures SET expire = expire - 900000');
    expect((await attempt(person.email, PASSWORD)).status).toBe(200);
  });

  it('by changing one’s own password ends after 10 failures, and signing in goes on', async () => {
    const person = await aPerson(service, 'Viewer');
    const { key } = (
      await service.owner.post(`/api/users/${person.id}/keys`, { name: 'k' }, { headers: from(newAddress()) })
    ).body;
    const guess = () =>
      anonymous(service).post(
        '/api/auth/password',
        { currentPassword: 'wrong', newPassword: 'another good phrase' },
        { headers: { ...from(newAddress()), authorization: `Bearer ${key}` } },
      );
    for (let at = 0; at < 10; at++) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
    expect((await attempt(person.email, PASSWORD)).status).toBe(200);
  });
});

describe('signing in rightly', () => {
  it('costs none of the 10, nor of the 50', async () => {
    const person = await aPerson(service, 'Viewer');
    const address = newAddress();
    const answers = await Promise.all(times(60, () => attempt(person.email, PASSWORD, address)));
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    expect((await attempt(person.email, 'wrong', address)).status).toBe(401);
  });
});

describe('a wrong password', () => {
  const none = useService();

  it('takes a turn at hashing whether or not there is such a user', async () => {
    const person = await aPerson(none, 'Viewer');
    const took = async (email: string) => {
      const start = performance.now();
      await expect(signedIn(none, { email }, 'wrong')).rejects.toThrow('401');
      return performance.now() - start;
    };
    await took('warm-up@example.com');
    const [known, unknown] = [[], []] as number[][];
    for (let round = 0; round < 8; round++) {
      known!.push(await took(person.email));
      unknown!.push(await took(`no${round}@example.com`));
    }
    const fastest = (all: number[]) => Math.min(...all);
    // Without a hash the answer takes a few milliseconds; with one, 18 and more.
    expect(fastest(unknown!)).toBeGreaterThan(fastest(known!) / 2);
  });
});
