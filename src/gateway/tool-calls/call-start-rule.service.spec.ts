import { describe, expect, it, jest } from '@jest/globals';
import { CallStartsService } from '../../mcp/tools-hosts/call-starts.service.js';
import { ApprovalOutdated } from '../approvals/approval.errors.js';
import type { ApprovedCallStartService } from '../approvals/approved-call-start.service.js';
import { LeaseOver } from '../calls/exchange.js';
import { CallStartRuleService } from './call-start-rule.service.js';
import type { LeaseCallStartService } from './lease-calls.service.js';

const lease = { agentId: 'a', issueId: 'i', token: 1 };

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
