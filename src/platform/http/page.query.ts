import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Max, Min } from 'class-validator';
import { MayBeAbsent } from './validation.pipe.js';

/** Converts `true` and `false`; any other value stays a string and fails validation. */
export const toBoolean = ({ value }: { value: unknown }) =>
  value === 'true' ? true : value === 'false' ? false : value;

/** Converts a whole number; any other value stays a string and fails validation. */
export const toWholeNumber = ({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;

/** The most rows of a page. */
export const MOST_ROWS = 1_000;

/** The query parameters of every list with pages (contract §1). */
export class PageQuery {
  /** The maximum number of rows. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MOST_ROWS, default: 500, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(MOST_ROWS)
  limit: number = 500;

  /** The cursor from the `Link` header of the previous response. */
  @MayBeAbsent()
  @IsString()
  cursor?: string;

  /** true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
  @ApiProperty({ type: 'boolean', default: false, required: false })
  @Transform(toBoolean)
  @IsBoolean()
  count: boolean = false;
}
