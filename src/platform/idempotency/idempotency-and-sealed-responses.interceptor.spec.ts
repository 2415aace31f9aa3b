import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Request, Response } from 'express';
import type { Principal } from '../authentication/principals-and-roles.js';
import { SealedResponsesService } from './idempotency-and-sealed-responses.interceptor.js';

afterEach(() => void jest.useRealTimers());

describe('a request that runs for a long time under an idempotency key', () => {
  it('goes on, and the service with it, where the database cannot renew its claim', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    let renewals = 0;
    const responses = {
      claim: async () => true,
      renew: async () => {
        renewals += 1;
        throw new Error('connect ENOENT');
      },
      store: async () => true,
    };
    const service = new SealedResponsesService(responses as never, {} as never, { seal: () => '' } as never);
    let end: (body: string) => void = () => undefined;
    const work = () => new Promise<string>((resolve) => (end = resolve));
    const request = {
      method: 'POST',
      path: '/',
      originalUrl: '/',
      headers: { 'idempotency-key': 'a-key' },
      body: {},
    };
    const answered = service.respond(
      { ...request, user: { type: 'agent', id: 'a' } as Principal } as unknown as Request & {
        user: Principal;
      },
      { statusCode: 201, getHeader: () => undefined } as unknown as Response,
      { policy: {} as never, work, isAfterwards: true },
    );
    await turn();
    jest.advanceTimersByTime(60_000);
    // A rejection without a handler fails the test, as it would end the service.
    await turn();
    end('installed');
    expect(await answered).toBe('installed');
    expect(renewals).toBe(3);
  });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
