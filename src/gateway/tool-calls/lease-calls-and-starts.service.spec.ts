import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CallStartsService } from '../../mcp/tools-hosts/call-starts.service.js';
import { type TransactionsService, TryAgain } from '../../platform/database/transactions.service.js';
import { ApprovalOutdated } from '../approvals/approval-requests-and-errors.service.js';
import type { ApprovedCallStartService } from '../approvals/approved-call-start.service.js';
import { LeaseOver } from '../calls/exchange.js';
import type {
  LeaseStanding,
  LeaseStandingsRepository,
} from '../calls/lease-standings-and-refusals.service.js';
import { CallStartRuleService, LeaseCallStartService } from './lease-calls-and-starts.service.js';

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

/** The rule over services that note what they look at, and send. */
function rule() {
  const looks: string[] = [];
  const leases = {
    enter: async (_: unknown, heedsHalt: boolean, start: () => void) => {
      looks.push(`lease, halt ${heedsHalt}`);
      start();
    },
  };
  const approvals = {
    beginOf: (gateId: string, outer?: (send: () => void) => Promise<void>) => async (send: () => void) => {
      looks.push(`approval ${gateId}`);
      await (outer ? outer(send) : send());
    },
  };
  const service = new CallStartRuleService(
    new CallStartsService(),
    leases as unknown as LeaseCallStartService,
    approvals as unknown as ApprovedCallStartService,
  );
  return { looks, service };
}

describe('the rule by which calls begin', () => {
  it.each([
    ['its lease', { lease }, ['lease, halt true']],
    ['its approval', { approvedBy: 'g' }, ['approval g']],
    [
      'its approval, and in that moment its lease',
      { lease, approvedBy: 'g' },
      ['approval g', 'lease, halt true'],
    ],
    ['nothing', {}, []],
  ])('looks at %s and sends the call once', async (_, start, expected) => {
    const { looks, service } = rule();
    const send = jest.fn();
    await service.beginOf(start)(send);
    expect(looks).toEqual(expected);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it.each([new LeaseOver(), new ApprovalOutdated('g', 'not_granted')])(
    'passes a refusal on as data',
    (error) => {
      const { service } = rule();
      const refusal = JSON.parse(JSON.stringify(service.refusalOf(error))) as never;
      expect(service.errorOf(refusal)).toEqual(error);
      expect(service.errorOf(refusal)).toBeInstanceOf(error.constructor);
    },
  );

  it('leaves every other error alone', () => {
    expect(rule().service.refusalOf(new Error('x'))).toBeNull();
  });
});
