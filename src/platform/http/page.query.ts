import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Max, Min } from 'class-validator';
import { MayBeAbsent } from './presence.decorators.js';

/** `true` and `false` as query parameters are written; anything else stays a string and fails validation. */
export const toBoolean = ({ value }: { value: unknown }) =>
  value === 'true' ? true : value === 'false' ? false : value;

/** A whole number as a query parameter is written; anything else stays a string and fails validation. */
const toWholeNumber = ({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;

/** What every list that is cut takes (spec §1). */
export class PageQuery {
  /** How many rows at most. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 1000, default: 500, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 500;

  /** Where to go on: from the `Link` header of the answer before. */
  @MayBeAbsent()
  @IsString()
  cursor?: string;

  /** true adds `X-Total-Count`; it stops at 10,000 and `X-Total-Count-Capped: true` says so. */
  @ApiProperty({ type: 'boolean', default: false, required: false })
  @Transform(toBoolean)
  @IsBoolean()
  count: boolean = false;
}
