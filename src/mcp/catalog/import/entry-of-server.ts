import type { Category, NetworkNeed } from '../catalog-entry.js';
import { entryErrors } from '../entry-rules.js';
import { parseEntry } from '../parse-entry.js';
import { EntryVariables } from './entry-variables.js';
import { ImportError } from './import-error.js';
import { argumentTemplates } from './argument-templates.js';
import type { RegistryServer, Remote, ServerJson, ServerPackage } from './server-json.js';
import type { ServerSource } from './server-source.js';

/** What the registries of packages say about the exact version of a package. */
export interface ResolvedPackage {
  /** `sha512-…` of an archive of npm, `sha256-…` of a wheel of PyPI. */
  integrity: string;
  /** The path of the program inside the package of npm, or its name in a package of PyPI. */
  program: string;
}

/** What an operator decides at an import. */
export interface ImportChoices {
  id: string | null;
  category: Category;
  network: NetworkNeed;
  /** The address that the server was read from. */
  importedFrom: string;
}

/**
 * Makes the file of a catalogue entry from a server of a registry: `verified: false`, everything pinned.
 * @param resolved null for a hosted server
 * @throws {ImportError} with every error when the entry would break a rule of the catalogue
 */
export function entryOfServer(
  { server, source: serverJson }: RegistryServer,
  source: ServerSource,
  resolved: ResolvedPackage | null,
  choices: ImportChoices,
): Record<string, unknown> & { id: string } {
  const variables = new EntryVariables();
  const id = choices.id ?? idOf(server.name);
  const parts =
    source.kind === 'remote'
      ? remoteParts(source.remote, variables)
      : packageParts(source.kind, source.package, resolved!, choices.network, variables);
  const entry = {
    ...{ id, ...factsOf(server), category: choices.category, verified: false, verifiedBy: null },
    ...{ importedFrom: choices.importedFrom, version: server.version },
    ...parts,
    manifest: { ...parts.manifest, serverJson },
    environmentVariables: variables.list(),
  };
  refuseErrors(entry, server.name);
  return entry;
}

function factsOf({ name, title, description, websiteUrl, repository }: ServerJson) {
  const [publisher, shortName] = name.split('/');
  return {
    name: title ?? shortName,
    description,
    publisher,
    homepage: websiteUrl ?? repository?.url ?? null,
    installInstructions: `Imported from a registry of MCP servers, where every publisher may list a server, and not reviewed yet. Review the package, its variables and its network, then set verified and verifiedBy.`,
  };
}

function packageParts(
  registry: 'npm' | 'pypi',
  pkg: ServerPackage & { version: string },
  { integrity, program }: ResolvedPackage,
  network: NetworkNeed,
  variables: EntryVariables,
) {
  for (const variable of pkg.environmentVariables) variables.declareEnvironment(variable);
  const args = argumentTemplates(pkg.packageArguments, variables);
  const script = `{installDir}/node_modules/${pkg.identifier}/${program}`;
  const launch =
    registry === 'npm'
      ? { command: 'node', args: [script, ...args] }
      : { command: `{installDir}/bin/${program}`, args };
  return {
    transport: 'stdio',
    runtime: registry === 'npm' ? 'node' : 'pipx',
    version: pkg.version,
    manifest: {
      package: { registry, name: pkg.identifier, version: pkg.version, integrity },
      ...{ network, launch },
      noProbeReason: 'it was imported, and no operator has chosen a tool to try it with',
    },
  };
}

function remoteParts({ type, url, headers, variables: inAddress }: Remote, variables: EntryVariables) {
  const filledUrl = variables.filled(url, inAddress);
  const templates = headers.map((header) => [header.name, variables.template(header, header.name)]);
  return {
    transport: type === 'sse' ? 'sse' : 'http',
    runtime: 'none',
    manifest: { url: filledUrl, headers: Object.fromEntries(templates) },
  };
}

/** Returns the last part of a registry's name in the form of an id. */
function idOf(name: string): string {
  const words = (name.split('/')[1] ?? name).toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.slice(0, 64).replace(/^-+|-+$/g, '');
}

function refuseErrors(file: { id: string }, name: string): void {
  const { entry, errors } = parseEntry(structuredClone(file));
  const found = entry ? entryErrors(entry, `${file.id}.json`) : errors;
  if (found.length === 0) return;
  const lines = found.map(({ path, message }) => `  ${path} ${message}`);
  throw new ImportError(`${name} cannot become an entry:\n${lines.join('\n')}`);
}
