import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { ServicePool } from './data-source.js';

it('a pool without any connection says at once that PostgreSQL refuses one, to each of several callers', async () => {
  let attempts = 0;
  class Refused extends EventEmitter {
    connect(done: (error: Error) => void): void {
      attempts += 1;
      setImmediate(() => done(Object.assign(new Error('too many connections'), { code: '53300' })));
    }
    end(): void {}
  }
  const pool = new ServicePool({ max: 5, Client: Refused } as never);
  const asked = await Promise.allSettled([pool.connect(), pool.connect(), pool.connect()]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(attempts).toBe(3);
});
