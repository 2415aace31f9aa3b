import { ApiProperty } from '@nestjs/swagger';
import type { PublishedVersion } from './published-servers.service.js';

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
