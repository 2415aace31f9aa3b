import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type CallStartRule, CallStartsService } from '../../mcp/tools-hosts/call-starts.service.js';
import { ApprovalOutdated } from '../approvals/approval.errors.js';
import { ApprovedCallStartService } from '../approvals/approved-call-start.service.js';
import { type AgentCallStart, LeaseOver } from '../calls/exchange.js';
import { LeaseCallStartService } from './lease-calls.service.js';

type Refusal = { lease: true } | { gateId: string; reason: string };

/** Looks, in the process that sends a call, whether it may begin (contract §5.7, §7.9). */
@Injectable()
export class CallStartRuleService implements CallStartRule, OnModuleInit {
  constructor(
    private readonly starts: CallStartsService,
    private readonly leases: LeaseCallStartService,
    private readonly approvals: ApprovedCallStartService,
  ) {}

  onModuleInit(): void {
    this.starts.rule = this;
  }

  beginOf({ lease, approvedBy }: AgentCallStart): (send: () => void) => Promise<void> {
    const whileLeaseLives = lease && ((send: () => void) => this.leases.enter(lease, true, send));
    if (approvedBy) return this.approvals.beginOf(approvedBy, whileLeaseLives);
    return whileLeaseLives ?? (async (send) => send());
  }

  refusalOf(error: unknown): Refusal | null {
    if (error instanceof LeaseOver) return { lease: true };
    return error instanceof ApprovalOutdated
      ? { gateId: String(error.members['gateId']), reason: error.reason }
      : null;
  }

  errorOf(refusal: Refusal): Error {
    return 'lease' in refusal ? new LeaseOver() : new ApprovalOutdated(refusal.gateId, refusal.reason);
  }
}
