import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsISO8601, IsString, Max, MaxLength, Min } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/body/presence.decorators.js';
import { toBoolean, toWholeNumber } from '../../../../platform/http/pages/page.query.js';

/** The query parameters of the registry's form, v0.1. */
export class ListServersQuery {
  /** The maximum number of servers. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100, default: 30, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 30;

  /** `metadata.nextCursor` of the previous response. */
  @MayBeAbsent()
  @IsString()
  cursor?: string;

  /** A part of the server's name, in any case. */
  @MayBeAbsent()
  @IsString()
  @MaxLength(200)
  search?: string;

  /** `latest`, or an exact version. */
  @MayBeAbsent()
  @IsString()
  @MaxLength(255)
  version?: string;

  /** Accepted and without effect: the catalogue does not know when an entry changed, so each may have. */
  @MayBeAbsent()
  @IsISO8601({ strict: true })
  updated_since?: string;

  /** Accepted and without effect: nothing is deleted here. */
  @ApiProperty({ type: 'boolean', required: false })
  @MayBeAbsent()
  @Transform(toBoolean)
  @IsBoolean({ message: 'include_deleted must be true or false' })
  include_deleted?: boolean;
}
