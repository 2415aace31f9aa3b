import { coerce, compare, parse } from 'semver';
import type { CatalogEntry } from '../catalog-entry.js';
import { serverOfEntry, type PublishedServer } from './server-of-entry.js';

/** A version of a published server. */
export interface PublishedVersion {
  server: PublishedServer;
  isLatest: boolean;
}

/** Returns every entry that can be published: by name, of one name the newest version first. */
export function publishedVersions(entries: readonly CatalogEntry[]): PublishedVersion[] {
  const servers = entries.flatMap((entry) => serverOfEntry(entry) ?? []);
  const sorted = servers.toSorted(byNameAndVersion);
  const unique = sorted.filter((server, index) => !isSame(server, sorted[index - 1]));
  return unique.map((server, index) => ({ server, isLatest: unique[index - 1]?.name !== server.name }));
}

function byNameAndVersion(a: PublishedServer, b: PublishedServer): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return compare(ordered(b.version), ordered(a.version)) || (a.version < b.version ? 1 : -1);
}

/** The registry admits versions that are not semantic; they are ordered by the numbers that they contain. */
function ordered(version: string) {
  return parse(version) ?? coerce(version) ?? '0.0.0';
}

function isSame(a: PublishedServer, b: PublishedServer | undefined): boolean {
  return a.name === b?.name && a.version === b.version;
}
