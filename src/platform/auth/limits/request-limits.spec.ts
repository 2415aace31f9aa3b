import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import type { Settings } from '../../config/settings.js';
import { TooManyRequests } from '../auth.errors.js';
import type { RoutePolicy } from '../policy.js';
import type { Principal } from '../principal.js';
import { RequestLimits } from './request-limits.js';

const limits = new RequestLimits({ rateLimitPerMinute: 1 } as Settings);
const heartbeat = { agents: 'self', atOnce: 2 } as RoutePolicy;

/** A request of this key; gives how it ends. */
async function begin(keyId: string): Promise<() => void> {
  const response = new EventEmitter();
  await limits.enforce({ keyId } as Principal, heartbeat, response as Response);
  return () => void response.emit('close');
}

describe('a route with a limit of how many at once', () => {
  it('lets so many of a key in, each key its own, and the next when one has ended', async () => {
    const [end] = [await begin('a'), await begin('a')];
    await expect(begin('a')).rejects.toThrow(TooManyRequests);
    await begin('b');
    end();
    await begin('a');
    await expect(begin('a')).rejects.toThrow(TooManyRequests);
  });

  it('is not counted by the minute', async () => {
    for (let at = 0; at < 5; at++) (await begin('c'))();
  });
});
