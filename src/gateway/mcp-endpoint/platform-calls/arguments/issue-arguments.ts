import { IsInt, IsString, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/body/presence.decorators.js';

/** The issue of a tool, which is part of the path of the HTTP route. */
export class IssueArguments {
  @IsString()
  issueId!: string;
}

export class GetIssueArguments extends IssueArguments {
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  descriptionOffset?: number;

  @MayBeAbsent()
  @IsString()
  commentsCursor?: string;

  @MayBeAbsent()
  @IsInt()
  @Min(0)
  linksOffset?: number;
}

/** A link of the issue. */
export class LinkArguments extends IssueArguments {
  @IsString()
  linkId!: string;
}

/** The same with the value of the header `Lease-Token` of the HTTP route. */
export class ChangeIssueArguments extends IssueArguments {
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  leaseToken?: number;
}
