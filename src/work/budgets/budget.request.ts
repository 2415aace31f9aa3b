import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import type { UsagePeriod } from '../../agents/usage-figures.response.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { MayBeNull } from '../../platform/http/validation.pipe.js';
import { budgetPeriods, LARGEST_LIMIT as LARGEST, type Limits, measureNames } from './budget.js';

const limit = (description: string, example: number) =>
  ({
    type: 'integer',
    minimum: 1,
    maximum: LARGEST,
    nullable: true,
    required: false,
    description,
    example,
  }) as const;

/** A budget. What it does not limit is absent or null. */
export class SetBudgetRequest {
  @ApiProperty(limit('Input and output tokens; tokens of a cache do not count.', 2_000_000))
  @MayBeNull()
  @IsInt()
  @Min(1)
  @Max(LARGEST)
  tokens?: number | null;

  @ApiProperty(limit('In millionths of a US dollar.', 5_000_000))
  @MayBeNull()
  @IsInt()
  @Min(1)
  @Max(LARGEST)
  costMicros?: number | null;

  @ApiProperty(limit('Turns with an issue.', 500))
  @MayBeNull()
  @IsInt()
  @Min(1)
  @Max(LARGEST)
  turns?: number | null;

  @ApiProperty(limit("Calls of tools, but not of the platform's own.", 1_000))
  @MayBeNull()
  @IsInt()
  @Min(1)
  @Max(LARGEST)
  toolCalls?: number | null;

  @ApiProperty(limit('Seconds during which issues are held.', 36_000))
  @MayBeNull()
  @IsInt()
  @Min(1)
  @Max(LARGEST)
  wallSeconds?: number | null;

  @ApiProperty({
    enum: budgetPeriods,
    description: 'After which the use begins at 0 again, in UTC.',
    example: 'day',
  })
  @IsIn(budgetPeriods)
  period!: UsagePeriod;
}

/** @throws {ValidationFailed} for a budget without a limit */
export function limitsOf(request: SetBudgetRequest): Limits {
  const limits = Object.fromEntries(measureNames.map((name) => [name, request[name] ?? null])) as Limits;
  if (measureNames.every((name) => limits[name] === null))
    throw new ValidationFailed([
      { path: 'tokens', message: `is missing: give one of ${measureNames.join(', ')}` },
    ]);
  return limits;
}
