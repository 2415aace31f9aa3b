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
  it('is refused for an account after 10 failures from any address, even with the right password', async () => {
    const person = await aPerson(service, 'Viewer');
    for (let guess = 0; guess < 10; guess += 1)
      expect((await attempt(person.email, 'wrong')).status).toBe(401);
    const refused = await attempt(person.email.toUpperCase(), PASSWORD);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(900);
    expect(refused.headers['set-cookie']).toBeUndefined();
  });

  it('is refused for an unknown account in the same way', async () => {
    for (let guess = 0; guess < 10; guess += 1)
      expect((await attempt('no@example.com', 'wrong')).status).toBe(401);
    expect((await attempt('NO@example.com', 'wrong')).status).toBe(429);
  });

  it('is refused for an address after 50 failures of any accounts, and goes on from others', async () => {
    const person = await aPerson(service, 'Viewer');
    const address = newAddress();
    for (let guess = 0; guess < 50; guess += 1)
      expect((await attempt(`no${guess}@example.com`, 'wrong', address)).status).toBe(401);
    expect((await attempt(person.email, PASSWORD, address)).status).toBe(429);
    expect((await attempt(person.email, PASSWORD)).status).toBe(200);
  });

  it('gets no further with many concurrent guesses at two processes', async () => {
    const person = await aPerson(service, 'Viewer');
    const other = await service.second();
    const both = [anonymous(service), anonymous(other)];
    const answers = await Promise.all(
      times(40, (at) => attempt(person.email, 'wrong', newAddress(), both[at % 2])),
    );
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(10);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(30);
  });

  it('from elsewhere does not lock a user out where it has signed in before', async () => {
    const person = await aPerson(service, 'Viewer');
    const home = newAddress();
    expect((await attempt(person.email, PASSWORD, home)).status).toBe(200);
    for (let guess = 0; guess < 11; guess += 1) await attempt(person.email, 'wrong');
    expect((await attempt(person.email, PASSWORD)).status).toBe(429);
    expect((await attempt(person.email, PASSWORD, home)).status).toBe(200);
    for (let guess = 0; guess < 10; guess += 1)
      expect((await attempt(person.email, 'wrong', home)).status).toBe(401);
    expect((await attempt(person.email, PASSWORD, home)).status).toBe(429);
  });

  it('is counted for a whole IPv6 network, whose guesses at unknown accounts leave few records', async () => {
    const failures = () => service.sql(`SELECT 1 FROM journal WHERE type = 'login.failed'`);
    const before = (await failures()).length;
    const results: number[] = [];
    for (let guess = 0; guess < 51; guess += 1) {
      const answer = await attempt(
        `none${guess}@example.com`,
        'wrong',
        `2001:db8:7:7::${guess.toString(16)}`,
      );
      results.push(answer.status);
    }
    expect([results[0], results[49], results[50]]).toEqual([401, 401, 429]);
    // One per minute and network of each kind, and the minute of the clock may end meanwhile.
    expect((await failures()).length - before).toBeLessThan(10);
  });

  it('is allowed again after 15 minutes', async () => {
    const person = await aPerson(service, 'Viewer');
    for (let guess = 0; guess < 11; guess += 1) await attempt(person.email, 'wrong');
    expect((await attempt(person.email, PASSWORD)).status).toBe(429);
    await service.sql('UPDATE login_failures SET expire = expire - 900000');
    expect((await attempt(person.email, PASSWORD)).status).toBe(200);
  });

  it('is refused after 10 failures to change the own password, and signing in goes on', async () => {
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
    for (let at = 0; at < 10; at += 1) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
    expect((await attempt(person.email, PASSWORD)).status).toBe(200);
  });
});

describe('a login with the right password', () => {
  it('uses up neither limit', async () => {
    const person = await aPerson(service, 'Viewer');
    const address = newAddress();
    const answers = await Promise.all(times(60, () => attempt(person.email, PASSWORD, address)));
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    expect((await attempt(person.email, 'wrong', address)).status).toBe(401);
  });
});

describe('a wrong password', () => {
  const none = useService();

  it('costs one hash whether or not the user exists', async () => {
    const person = await aPerson(none, 'Viewer');
    const took = async (email: string) => {
      const start = performance.now();
      await expect(signedIn(none, { email }, 'wrong')).rejects.toThrow('401');
      return performance.now() - start;
    };
    await took('warm-up@example.com');
    const [known, unknown] = [[], []] as number[][];
    for (let round = 0; round < 8; round += 1) {
      known!.push(await took(person.email));
      unknown!.push(await took(`no${round}@example.com`));
    }
    const fastest = (all: number[]) => Math.min(...all);
    // Without a hash the response takes a few milliseconds; with one it takes 18 or more.
    expect(fastest(unknown!)).toBeGreaterThan(fastest(known!) / 2);
  });
});
