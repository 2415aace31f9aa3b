import { IsInt, IsString, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/body/presence.decorators.js';

/** The issue of a question, and the lease under which it is asked. */
export class AskedIssueArguments {
  @MayBeAbsent()
  @IsString()
  issueId?: string;

  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  leaseToken?: number;
}

export class GateIdArguments {
  @IsString()
  gateId!: string;
}
