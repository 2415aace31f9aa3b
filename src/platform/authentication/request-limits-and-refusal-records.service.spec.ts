import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import type { Settings } from '../config/settings.js';
import { TooManyRequests } from './authentication.errors.js';
import type { RoutePolicy } from './route-policies-and-agent-itself.js';
import type { Principal } from './principals-and-roles.js';
import { clientNetwork, RequestLimitsService } from './request-limits-and-refusal-records.service.js';

const limits = new RequestLimitsService({
  rateLimitPerMinute: 1,
  limits: { requestsPerPrincipal: 2 },
} as Settings);
const heartbeat = { agents: 'self', frequent: true } as RoutePolicy;

/** Begins a request of this key; returns the function that ends it. */
async function begin(keyId: string): Promise<() => void> {
  const response = new EventEmitter();
  await limits.enforce({ keyId } as Principal, heartbeat, response as Response);
  return () => void response.emit('close');
}

describe('a route that agents call all the time', () => {
  it('admits as many open requests of a key as the limit, and the next when one has ended', async () => {
    const [end] = [await begin('a'), await begin('a')];
    await expect(begin('a')).rejects.toThrow(TooManyRequests);
    await begin('b');
    end();
    await begin('a');
    await expect(begin('a')).rejects.toThrow(TooManyRequests);
  });

  it('is not subject to the rate per minute', async () => {
    for (let at = 0; at < 5; at += 1) (await begin('c'))();
  });
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['no address', 'no address'],
  [null, 'unknown'],
])('the requests of %s are counted for %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
