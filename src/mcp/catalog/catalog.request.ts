import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsISO8601, IsObject, IsString, Max, MaxLength, Min } from 'class-validator';
import { MayBeAbsent, toBoolean, toWholeNumber } from '../../platform/http/validation.pipe.js';
import {
  categories,
  type Category,
  type Runtime,
  runtimes,
  type Transport,
  transports,
} from './catalog-entry.js';

export class CheckEntryRequest {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The content of the file of an entry.',
    example: {
      id: 'reports',
      name: 'Reports',
      description: 'Search the reports of this company.',
      category: 'search',
      transport: 'http',
      runtime: 'none',
      version: '1',
      manifest: { url: 'https://reports.example.com/mcp' },
      environmentVariables: [],
    },
  })
  @IsObject({ message: 'must be an object: the content of the file of an entry' })
  entry!: Record<string, unknown>;
}

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

export class ListCatalogQuery {
  @ApiProperty({ enum: categories, required: false })
  @MayBeAbsent()
  @IsIn(categories)
  category?: Category;

  @ApiProperty({ enum: transports, required: false })
  @MayBeAbsent()
  @IsIn(transports)
  transport?: Transport;

  @ApiProperty({ enum: runtimes, required: false })
  @MayBeAbsent()
  @IsIn(runtimes)
  runtime?: Runtime;

  /** Only the entries that this host can install now, or only the others. */
  @ApiProperty({ type: 'boolean', required: false })
  @MayBeAbsent()
  @Transform(toBoolean)
  @IsBoolean({ message: 'installable must be true or false' })
  installable?: boolean;

  /** Words that must all occur in id, name, description or publisher. */
  @MayBeAbsent()
  @IsString()
  @MaxLength(200)
  q?: string;
}
