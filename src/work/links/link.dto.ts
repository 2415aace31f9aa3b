import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { type LinkRow, type LinkType, linkTypes } from '../issue-status/issue-row-and-references.js';
import { type Status, statuses } from '../issue-status/issue-status.js';

export class CreateLinkRequest {
  /**
   * Id or key of the other issue.
   * @example DOCS-2
   */
  @IsString()
  targetIssueId!: string;

  @ApiProperty({ enum: linkTypes, enumName: 'LinkType', example: 'BlockedBy' })
  @IsIn(linkTypes)
  linkType!: LinkType;
}

/** The issue at the other end of a link. */
export class LinkTargetResponse {
  /** @example DOCS-2 */
  key!: string;
  /** @example "Collect the merged work" */
  title!: string;
  @ApiProperty({ enum: statuses, enumName: 'Status' })
  status!: Status;
}

export class LinkAuthorResponse {
  @ApiProperty({ enum: ['user', 'agent', 'system'] })
  type!: 'user' | 'agent' | 'system';
  id!: string | null;
  name!: string;
}

/** A link as seen from the issue of the request; `targetIssueId` is the other issue. */
export class LinkResponse {
  id!: string;
  issueId!: string;
  targetIssueId!: string;
  @ApiProperty({ enum: linkTypes, enumName: 'LinkType' })
  linkType!: LinkType;
  @ApiProperty({ enum: ['outgoing', 'incoming'] })
  direction!: 'outgoing' | 'incoming';
  target!: LinkTargetResponse;
  createdBy!: LinkAuthorResponse;
  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  static from(row: LinkRow): LinkResponse {
    return row;
  }
}
