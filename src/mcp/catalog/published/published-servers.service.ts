import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { decodeCursor, encodeCursor, notACursor } from '../../../platform/http/pages/cursor.js';
import { NotFound } from '../../../platform/http/problem/problem.js';
import { CatalogService } from '../catalog.service.js';
import type { ListServersQuery } from './dto/list-servers.query.js';
import { publishedVersions, type PublishedVersion } from './published-servers.js';

/** The order of the list, which its cursors are bound to. */
const ORDER = 'published';

/** Reads the catalogue as a registry of MCP servers (contract §3.1), where the operator publishes it. */
@Injectable()
export class PublishedServersService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly settings: Settings,
  ) {}

  /** @throws {NotFound} when the catalogue is not published @throws {ValidationFailed} when the cursor is not one */
  page({ limit, cursor, search = '', version }: ListServersQuery) {
    const matching = this.versions().filter(
      ({ server, isLatest }) =>
        server.name.toLowerCase().includes(search.toLowerCase()) &&
        (version === undefined || (version === 'latest' ? isLatest : server.version === version)),
    );
    const start = cursor === undefined ? 0 : startAfter(matching, cursor);
    const versions = matching.slice(start, start + limit);
    const last = versions.at(-1)?.server;
    const isMore = last !== undefined && start + limit < matching.length;
    return { versions, nextCursor: isMore ? encodeCursor([last.name, last.version], ORDER) : null };
  }

  /** Returns the versions of one server. @throws {NotFound} when none is published */
  versionsOf(name: string): PublishedVersion[] {
    const versions = this.versions().filter(({ server }) => server.name === name);
    if (versions.length === 0) throw new NotFound();
    return versions;
  }

  /** @param version an exact version or `latest` @throws {NotFound} when it is not published */
  version(name: string, version: string): PublishedVersion {
    const found = this.versionsOf(name).find(({ server, isLatest }) =>
      version === 'latest' ? isLatest : server.version === version,
    );
    if (!found) throw new NotFound();
    return found;
  }

  private versions(): PublishedVersion[] {
    if (!this.settings.publishRegistry) throw new NotFound();
    return publishedVersions(this.catalog.list());
  }
}

/** A version that a reload has removed cannot be found again: the reader starts again. */
function startAfter(versions: readonly PublishedVersion[], cursor: string): number {
  const [name, version] = decodeCursor(cursor, ORDER);
  const at = versions.findIndex(({ server }) => server.name === name && server.version === version);
  if (at === -1) throw notACursor();
  return at + 1;
}
