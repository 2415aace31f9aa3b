import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { IsText } from '../../platform/http/text-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { ReportsUsageRequest } from '../../work/usage/usage.request.js';

/** The statuses that an agent may finish an issue with. */
export const finishStatuses = ['Resolved', 'PendingReview', 'Open'] as const;
export type FinishStatus = (typeof finishStatuses)[number];

class EndRequest {
  @ApiProperty({ type: 'integer', example: 1, description: 'The token of the lease.' })
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  token!: number;

  /**
   * Why the work ends in this way. It stands in the timeline.
   * @example "The worker is being restarted."
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  reason?: string;
}

export class ReleaseRequest extends EndRequest {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 86_400,
    required: false,
    description: 'For how long this agent does not get the issue again.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(86_400)
  retryAfterSeconds?: number;
}

export class FinishRequest extends IntersectionType(EndRequest, ReportsUsageRequest) {
  @ApiProperty({
    enum: finishStatuses,
    example: 'Resolved',
    description:
      'Resolved: done. PendingReview: a person has to look. Open: given back, which counts an attempt.',
  })
  @IsIn(finishStatuses)
  status!: FinishStatus;

  /**
   * A comment that is written with the finish.
   * @example "All of it is in the changelog now."
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 65_536, unit: 'bytes' })
  comment?: string;

  @ApiProperty({
    type: [String],
    required: false,
    description: 'Attachments of this issue that belong to the result.',
  })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsString({ each: true })
  attachmentIds?: string[];
}
