import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsInt, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../platform/http/body/text-rules.js';

const OPTION = { min: 1, max: 500, unit: 'codePoints' } as const;

/** A question to a person. */
export class AskQuestionRequest {
  /** @example "May I publish the release notes today?" */
  @IsText({ min: 1, max: 16_384, unit: 'bytes' })
  question!: string;

  /**
   * Answers to choose from, at most 10.
   * @example ["Today", "Tomorrow"]
   */
  @ApiProperty({ type: [String], required: false, maxItems: 10 })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique({ message: 'must not name an option twice' })
  @IsText(OPTION, { each: true })
  options?: string[];

  /**
   * The option that the asker would take.
   * @example Tomorrow
   */
  @MayBeAbsent()
  @IsText(OPTION)
  recommended?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    minimum: 10,
    description: 'Default: `GATE_TTL_HOURS`.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(10)
  @Max(31_536_000)
  expiresInSeconds?: number;
}
