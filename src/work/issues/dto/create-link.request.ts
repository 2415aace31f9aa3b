import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { linkTypes, type LinkType } from '../issue-row.js';

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
