import { IsBase64, IsInt, IsString, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../../platform/http/body/text-rules.js';
import { IssueArguments } from './issue-arguments.js';

export class ListAttachmentsArguments extends IssueArguments {
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 100;

  @MayBeAbsent()
  @IsString()
  cursor?: string;
}

export class ReadAttachmentArguments {
  @IsString()
  attachmentId!: string;

  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  offset: number = 0;
}

/** A file of which the content is text or base64, one of the two. */
export class AddAttachmentArguments extends IssueArguments {
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  filename!: string;

  @MayBeAbsent()
  @IsString()
  contentType?: string;

  @MayBeAbsent()
  @IsString()
  text?: string;

  @MayBeAbsent()
  @IsBase64()
  base64?: string;
}
