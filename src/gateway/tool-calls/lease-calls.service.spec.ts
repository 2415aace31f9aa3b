import { afterEach, expect, it, jest } from '@jest/globals';
import { type TransactionsService, TryAgain } from '../../platform/database/transactions.service.js';
import { LeaseOver } from '../calls/exchange.js';
import type { LeaseStanding, LeaseStandingsRepository } from '../calls/lease-standings.repository.js';
import { LeaseCallStartService } from './lease-calls.service.js';

afterEach(() => void jest.restoreAllMocks());

const lease = { agentId: 'a', issueId: 'i', token: 1 };
const transactions = {
  run: async (work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof TryAgain) return transactions.run(work);
      throw error;
    }
  },
};

/** @param read what is read of the lease, each time */
function starting(read: () => LeaseStanding): LeaseCallStartService {
  const standings = {
    holdOff: () => Promise.resolve([true]),
    read: () => Promise.resolve([read()]),
  };
  return new LeaseCallStartService(
    standings as unknown as LeaseStandingsRepository,
    transactions as unknown as TransactionsService,
  );
}

it('starts a call whose lease lives', async () => {
  const start = jest.fn();
  await starting(() => ({ good: true, suspended: null })).enter(lease, true, start);
  expect(start).toHaveBeenCalledTimes(1);
});

it('reads the lease again when the process stood still for longer than its locks are certain to live', async () => {
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const ended = { good: false, suspended: null };
  const answers = [{ good: true, suspended: null }, ended];
  const service = starting(() => {
    if (answers.length > 1) now += 20_000;
    return answers.shift()!;
  });
  const start = jest.fn();
  await expect(service.enter(lease, true, start)).rejects.toBeInstanceOf(LeaseOver);
  expect(start).not.toHaveBeenCalled();
});
