import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { IsText } from '../platform/http/text-rules.js';
import { MayBeAbsent } from '../platform/http/validation.pipe.js';
import { CreateApiKeyRequest } from '../platform/users/api-key.dto.js';

export class UpdateAgentRequest {
  /** @example "Release notes writer" */
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
  name?: string;

  /** @example "Writes release notes from merged work." */
  @MayBeAbsent()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 1000, required: false, example: 4 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(1000)
  maxConcurrentIssues?: number;

  /** A disabled agent is given neither work nor tools. */
  @MayBeAbsent()
  @IsBoolean()
  disabled?: boolean;

  /** With its own key the agent uses the platform's tools only; those of servers need the key of a lease. */
  @MayBeAbsent()
  @IsBoolean()
  toolsRequireLease?: boolean;
}

/** As a user's key, but for the role: an agent has none to narrow. */
export class CreateAgentKeyRequest extends OmitType(CreateApiKeyRequest, ['role'] as const) {}

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
