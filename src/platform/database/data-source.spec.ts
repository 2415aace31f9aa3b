import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { ServicePool } from './data-source-pool-and-limits.js';

it('a pool waits for a connection that it has where PostgreSQL has no space to begin another one', async () => {
  let made = 0;
  class Limited extends EventEmitter {
    _queryable = true;
    connect(done: (error?: Error) => void): void {
      const refusal = Object.assign(new Error('could not write init file'), { code: 'XX000' });
      setImmediate(() => ((made += 1) === 1 ? done() : done(refusal)));
    }
    end(done: () => void): void {
      done();
    }
  }
  const pool = new ServicePool({ max: 5, Client: Limited } as never);
  const first = await pool.connect();
  const second = pool.connect();
  setImmediate(() => setImmediate(() => first.release()));
  expect(await second).toBe(first);
  (await second).release();
  await pool.end();
});

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
