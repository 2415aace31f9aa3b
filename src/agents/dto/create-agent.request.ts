import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../platform/http/body/presence.decorators.js';
import { IsText } from '../../platform/http/body/text-rules.js';

export class CreateAgentRequest {
  /** @example "Release notes writer" */
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
  name!: string;

  /** @example "Writes release notes from merged work." */
  @MayBeAbsent()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string;

  /** How many issues the agent may work on at a time. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 1000, default: 10, required: false })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(1000)
  maxConcurrentIssues?: number;

  /** With its own key the agent uses the platform's tools only; those of servers need the key of a lease. */
  @MayBeAbsent()
  @IsBoolean()
  toolsRequireLease?: boolean;
}
