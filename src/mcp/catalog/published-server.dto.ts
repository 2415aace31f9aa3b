import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsISO8601, IsString, Max, MaxLength, Min } from 'class-validator';
import { MayBeAbsent, toBoolean, toWholeNumber } from '../../platform/http/validation.pipe.js';
import type { PublishedVersion } from './published-servers.service.js';

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

/** The key of the registry's metadata, which clients of its form read. */
const METADATA = 'io.modelcontextprotocol.registry/official';

/** A version of a server in the form of the registry. */
export class PublishedServerResponse {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'A server.json (2025-12-11).' })
  server!: Record<string, unknown>;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Status, and whether it is the latest.',
  })
  _meta!: Record<string, unknown>;

  static from({ server, isLatest }: PublishedVersion): PublishedServerResponse {
    return { server, _meta: { [METADATA]: { status: 'active', isLatest } } };
  }
}

export class PublishedListMetadata {
  /** The number of servers of this page. */
  count!: number;
  /** The cursor of the next page; absent on the last one. */
  nextCursor?: string;
}

export class PublishedListResponse {
  servers!: PublishedServerResponse[];
  metadata!: PublishedListMetadata;

  static from(versions: readonly PublishedVersion[], nextCursor: string | null): PublishedListResponse {
    const servers = versions.map(PublishedServerResponse.from);
    return { servers, metadata: { count: servers.length, ...(nextCursor !== null && { nextCursor }) } };
  }
}
