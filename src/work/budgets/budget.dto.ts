import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import type { UsagePeriod } from '../../agents/usage-figures.response.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { MayBeNull } from '../../platform/http/validation.pipe.js';
import {
  budgetPeriods,
  type BudgetRow,
  LARGEST_LIMIT as LARGEST,
  type Limits,
  type Measure,
  measureNames,
} from './budget-limits-and-amounts.js';

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

/** One number for each thing that a budget can limit. */
export class BudgetFiguresResponse implements Record<Measure, number> {
  @ApiProperty({ type: 'integer', example: 40_000 })
  tokens!: number;
  @ApiProperty({ type: 'integer', example: 120_000 })
  costMicros!: number;
  @ApiProperty({ type: 'integer', example: 12 })
  turns!: number;
  @ApiProperty({ type: 'integer', example: 80 })
  toolCalls!: number;
  @ApiProperty({ type: 'integer', example: 900 })
  wallSeconds!: number;
}

/** The budget of an agent, project or issue. All limits and `period` are null where it has none. */
export class BudgetResponse {
  @ApiProperty({ type: 'integer', nullable: true, example: 2_000_000 })
  tokens!: number | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 5_000_000 })
  costMicros!: number | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 500 })
  turns!: number | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 1_000 })
  toolCalls!: number | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 36_000 })
  wallSeconds!: number | null;
  @ApiProperty({ type: 'string', enum: [...budgetPeriods, null], nullable: true, example: 'day' })
  period!: UsagePeriod | null;
  /**
   * The first day of the present period.
   * @example "2026-11-01"
   */
  startsOn!: string | null;
  @ApiProperty({ type: BudgetFiguresResponse, description: 'What is used in the present period.' })
  used!: BudgetFiguresResponse;
  @ApiProperty({
    type: BudgetFiguresResponse,
    description: 'What was added to the limits in the present period.',
  })
  extended!: BudgetFiguresResponse;
  /** Whether a limit was reached in the present period and was not raised. */
  stopped!: boolean;
  /** The open gate of a limit that was reached. */
  gateId!: string | null;

  static from(row: BudgetRow | null): BudgetResponse {
    const limits = Object.fromEntries(measureNames.map((name) => [name, row?.[name] ?? null]));
    return {
      ...(limits as Record<Measure, number | null>),
      period: row?.period ?? null,
      startsOn: row?.startsOn ?? null,
      used: figures(row?.used ?? {}),
      extended: figures(row?.extra ?? {}),
      stopped: row?.stopped ?? false,
      gateId: row?.gateId ?? null,
    };
  }
}

function figures(given: Partial<Record<Measure, number>>): BudgetFiguresResponse {
  return Object.fromEntries(measureNames.map((name) => [name, given[name] ?? 0])) as Record<Measure, number>;
}
