import { Injectable } from '@nestjs/common';
import { coerce, compare, parse } from 'semver';
import { Settings } from '../../platform/config/settings.js';
import { decodeCursor, encodeCursor, notACursor } from '../../platform/http/page-and-cursor.query.js';
import { NotFound } from '../../platform/http/problem.js';
import type { CatalogEntry, EnvironmentVariable, RemoteEntry, StdioEntry } from './catalog-entry.js';
import { CatalogService } from './catalog.service.js';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** The namespace of entries that have no name in a registry. */
const NAMESPACE = 'work.agent-platform';
const LONGEST_TEXT = 100;

/** A server in the form of the registry (server.json, schema 2025-12-11). */
export type PublishedServer = Record<string, unknown> & { name: string; version: string };

/**
 * Returns an entry as a server.json: the one that it contains, else one made of it. A program of this host has none,
 * because no other host could install it.
 */
export function serverOfEntry(entry: CatalogEntry): PublishedServer | null {
  const { serverJson } = entry.manifest;
  if (isServer(serverJson)) return serverJson;
  const source = entry.transport === 'stdio' ? packagesOf(entry) : remotesOf(entry);
  if (source === null) return null;
  return {
    $schema: SCHEMA,
    name: `${NAMESPACE}/${entry.id}`,
    title: entry.name.slice(0, LONGEST_TEXT),
    description: entry.description.slice(0, LONGEST_TEXT),
    version: entry.version,
    ...(entry.homepage !== null && { websiteUrl: entry.homepage }),
    ...source,
  };
}

function isServer(candidate: Record<string, unknown> | null | undefined): candidate is PublishedServer {
  return typeof candidate?.['name'] === 'string' && typeof candidate['version'] === 'string';
}

function packagesOf({ manifest, environmentVariables }: StdioEntry) {
  const { registry, name, version } = manifest.package;
  if (registry === 'none' || !name || !version) return null;
  const transport = { type: 'stdio' };
  const variables = environmentVariables.map(inputOf);
  const packaged = { registryType: registry, identifier: name, version, transport };
  return { packages: [{ ...packaged, environmentVariables: variables }] };
}

function remotesOf({ transport, manifest, environmentVariables }: RemoteEntry) {
  const inputs = new Map(environmentVariables.map((variable) => [variable.name, inputOf(variable)]));
  const headers = Object.entries(manifest.headers).map(([name, template]) => ({
    name,
    ...templateOf(template, inputs, 'value'),
  }));
  const type = transport === 'sse' ? 'sse' : 'streamable-http';
  return { remotes: [{ type, ...templateOf(manifest.url, inputs, 'url'), headers }] };
}

/** Turns `{env:NAME}` into `{NAME}` with the description of the variable beside it. */
function templateOf(template: string, inputs: ReadonlyMap<string, object>, field: string) {
  const names = [...template.matchAll(/\{env:([^{}]*)\}/g)].map(([, name]) => name!);
  const text = template.replace(/\{env:([^{}]*)\}/g, '{$1}').replaceAll('{{', '{');
  const variables = Object.fromEntries(names.map((name) => [name, inputs.get(name)]));
  return { [field]: text, ...(names.length > 0 && { variables }) };
}

function inputOf({ name, description, isRequired, isSecret, format, ...rest }: EnvironmentVariable) {
  const { default: preset, placeholder, choices } = rest;
  return {
    ...{ name, description, isRequired, isSecret },
    ...(format !== null && format !== 'file' && { format }),
    // A default of ours may name a folder of this host, which means nothing elsewhere.
    ...(preset !== null && !preset.includes('{') && { default: preset }),
    ...(placeholder !== null && { placeholder }),
    ...(choices !== null && { choices }),
  };
}

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

/** Which published servers a page lists; `search` is a part of the name, `version` an exact one or `latest`. */
export interface PublishedFilter {
  limit: number;
  cursor?: string;
  search?: string;
  version?: string;
}

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
  page({ limit, cursor, search = '', version }: PublishedFilter) {
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
