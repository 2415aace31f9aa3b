import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type FirstListingsService, FirstListingWaitService } from './listing-intervals-and-waits.service.js';

const server = (serverId: string) => ({
  serverId,
  slug: serverId,
  sharing: 'shared' as const,
  credentialSetId: serverId,
});
const waitFor = (ensure: (serverId: string) => Promise<void>) =>
  new FirstListingWaitService({ ensure } as unknown as FirstListingsService);
const NEVER = new Promise<never>(() => undefined);

describe('the wait for servers that were never listed', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('ends after two seconds for all servers together, and the next list does not wait', async () => {
    const wait = waitFor(() => NEVER);
    const servers = [server('a'), server('b')];
    const listed = wait.forAll(servers, 'agent');
    await jest.advanceTimersByTimeAsync(1_999);
    await expect(Promise.race([listed, 'waits'])).resolves.toBe('waits');
    await jest.advanceTimersByTimeAsync(1);
    await expect(listed).resolves.toBe(false);
    await expect(wait.forAll(servers, 'agent')).resolves.toBe(false);
  });

  it('says whether any of them was listed meanwhile', async () => {
    const failing = Promise.reject(new Error('it cannot start'));
    const wait = waitFor((serverId) => (serverId === 'good' ? Promise.resolve() : failing));
    await expect(wait.forAll([server('bad'), server('good')], 'agent')).resolves.toBe(true);
    await expect(wait.forAll([server('worse')], 'agent')).resolves.toBe(false);
  });
});
