import { satisfies } from 'semver';
import { entryFolder, storeEntry } from '../../dist/src/mcp/catalog/catalog-files.js';
import { entryOfPackage } from '../../dist/src/mcp/catalog/entry-of-package.js';
import { entryOfServer } from '../../dist/src/mcp/catalog/entry-of-server.js';
import {
  ImportError,
  parseServer,
  sourceOf,
} from '../../dist/src/mcp/catalog/server-json-and-import-source.js';
import { fetchJson } from './fetch.mjs';
import { readNpm, resolveNpm } from './npm-package.mjs';
import { resolvePypi } from './pypi-package.mjs';

/** Reads a server from the registry, pins its package and writes the entry. */
export async function importServer(settings, { name, version, ...options }) {
  const folder = await entryFolder(settings.catalogDirs, options.to);
  const address = (wanted) =>
    `${settings.mcpRegistryUrl}/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(wanted)}`;
  const described = parseServer(await fetchJson(address(version)));
  refuseOther(described.server, name, version);
  const source = sourceOf(described.server, options.source ?? null);
  const entry = entryOfServer(described, source, await resolve(source, options.program), {
    id: options.id ?? null,
    category: options.category,
    network: networkOf(options.network),
    importedFrom: address(described.server.version),
  });
  const file = await storeEntry(folder, entry, () => options.force);
  if (described.warning) console.warn(described.warning);
  report(entry, source.kind, file);
}

/** Reads a package of npm, which no registry of servers has to know, and writes the entry that its README describes. */
export async function importPackage(settings, { name, version, ...options }) {
  const folder = await entryFolder(settings.catalogDirs, options.to);
  const { manifest, texts, resolved } = await readNpm(name, version, options.program);
  const { entry, notes } = entryOfPackage(manifest, texts, resolved, {
    id: options.id ?? null,
    category: options.category,
    network: networkOf(options.network),
    importedFrom: `https://www.npmjs.com/package/${name}/v/${manifest.version}`,
  });
  const file = await storeEntry(folder, entry, () => options.force);
  for (const note of notes) console.warn(note);
  const { runtimeVersion } = entry;
  if (
    runtimeVersion !== null &&
    !satisfies(process.versions.node, runtimeVersion, { includePrerelease: true })
  )
    console.warn(
      `Its maker names node ${runtimeVersion}, and this host has ${process.versions.node}. A reviewed entry is refused for that: correct runtimeVersion where the server works.`,
    );
  report(entry, 'npm', file);
}

/** A registry that answers with another server than the one that was asked for must not choose what is installed. */
function refuseOther(server, name, version) {
  const isOther = server.name !== name || (version !== 'latest' && server.version !== version);
  if (isOther)
    throw new ImportError(
      `The registry was asked for ${name} ${version} and returned ${server.name} ${server.version}.`,
    );
}

async function resolve(source, program) {
  if (source.kind === 'remote') return null;
  const resolvePackage = source.kind === 'npm' ? resolveNpm : resolvePypi;
  return resolvePackage(source.package, program ?? null);
}

function networkOf(text) {
  return text === 'any' || text === 'none' ? text : { hosts: text.split(',').map((host) => host.trim()) };
}

function report(entry, kind, file) {
  const { manifest, environmentVariables } = entry;
  const from =
    kind === 'remote' ? manifest.url : `${manifest.package.name}@${manifest.package.version} of ${kind}`;
  console.log(`${file}: ${entry.name} ${entry.version}, ${from}.`);
  if (environmentVariables.length > 0)
    console.log(`Its variables: ${environmentVariables.map(({ name }) => name).join(', ')}.`);
  console.log(
    'No person has reviewed it. Review the file, set "verified": true and "verifiedBy", and load it with POST /api/mcp/catalog/reload; until then it is installed only with ALLOW_UNVERIFIED=true.',
  );
}
