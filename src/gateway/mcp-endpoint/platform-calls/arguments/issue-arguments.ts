import { IsInt, IsString, Min } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/presence.decorators.js';

/** What stands in the path of an HTTP route: the issue that a tool is about. */
export class IssueArguments {
  @IsString()
  issueId!: string;
}

export class GetIssueArguments extends IssueArguments {
  @MayBeAbsent()
  @IsString()
  commentsCursor?: string;
}

/** With what stands in the header `Lease-Token` of the HTTP route. */
export class ChangeIssueArguments extends IssueArguments {
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  leaseToken?: number;
}
