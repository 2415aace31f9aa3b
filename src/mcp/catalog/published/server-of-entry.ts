import type { CatalogEntry, EnvironmentVariable, RemoteEntry, StdioEntry } from '../catalog-entry.js';

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
