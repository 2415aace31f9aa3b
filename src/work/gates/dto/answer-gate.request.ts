import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsObject, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../platform/http/body/text-rules.js';

/** The answer to a gate. Which fields it takes depends on the kind of the gate. */
export class AnswerGateRequest {
  /**
   * One of the options of a question.
   * @example Tomorrow
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 500, unit: 'codePoints' })
  option?: string;

  /**
   * An answer to a question in one's own words.
   * @example "Wait for the totals of March."
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 16_384, unit: 'bytes' })
  text?: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    selfRequired: false,
    description: 'The values that the schema of a question asks for.',
  })
  @MayBeAbsent()
  @IsObject()
  fields?: Record<string, unknown>;

  @ApiProperty({
    enum: ['approve', 'deny', 'extend', 'stop'],
    required: false,
    description: 'approve or deny for an approval, extend or stop for a budget.',
  })
  @MayBeAbsent()
  @IsIn(['approve', 'deny', 'extend', 'stop'])
  decision?: 'approve' | 'deny' | 'extend' | 'stop';

  @ApiProperty({
    enum: ['once', 'issue'],
    required: false,
    description: 'Whether an approval is for this call or for all calls of the tool on the issue.',
  })
  @MayBeAbsent()
  @IsIn(['once', 'issue'])
  scope?: 'once' | 'issue';

  /**
   * What the agent should know about a decision on a call.
   * @example "Only on the staging server."
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 16_384, unit: 'bytes' })
  note?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'By how much to extend a budget, in its own unit; without it by the limit that is set.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  by?: number;
}
