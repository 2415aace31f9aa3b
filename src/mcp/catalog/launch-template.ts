import { ValidationFailed } from '../../platform/http/problem.js';
import type { EnvironmentVariable, RemoteEntry, StdioEntry } from './catalog-entry.js';
import {
  effectiveValue,
  fillTemplate,
  MissingVariables,
  missingVariables,
  variablesOf,
} from './variable-values-and-placeholders.js';
import { RuntimeNotDetected } from './installability-and-runtime-detection.js';
import { type EntryNetwork, networkOf } from './network-hosts-of-entry.js';

/** The address of an http or sse server and the headers of its requests. */
export interface Remote {
  url: string;
  headers: Record<string, string>;
}

/**
 * Fills in an entry's address and headers. Values are percent-encoded in the address and unchanged in a header; a header
 * whose optional variable has no value is left out (catalog-entry.schema.json).
 * @throws {MissingVariables} when a required variable has no value
 * @throws {ValidationFailed} at `envValues.NAME` when the values do not make a valid address
 */
export function remoteOf(entry: RemoteEntry, values: Readonly<Record<string, string>>): Remote {
  const missing = missingVariables(entry, Object.keys(values));
  if (missing.length > 0) throw new MissingVariables(missing);

  const texts = new Map(
    entry.environmentVariables.map((variable) => [variable.name, effectiveValue(variable, values)]),
  );
  const headers = Object.entries(entry.manifest.headers).flatMap(([name, template]) => {
    const text = fillTemplate(template, {}, (variable) => texts.get(variable) ?? null);
    return text === null ? [] : [[name, text]];
  });
  return { url: addressOf(entry.manifest.url, texts), headers: Object.fromEntries(headers) };
}

function addressOf(template: string, texts: ReadonlyMap<string, string | null>): string {
  const used = variablesOf(template);
  const encoded = (name: string) => encodeURIComponent(texts.get(name) ?? '');
  const address = fillTemplate(template, {}, encoded) ?? '';
  // '.' and '..' survive percent-encoding and would lead to a parent path.
  const climbs = used.some((name) => /^\.{1,2}$/.test(encoded(name)));
  if (!climbs && URL.canParse(address)) return address;
  throw new ValidationFailed(
    used.map((name) => ({ path: `envValues.${name}`, message: 'does not make a valid address' })),
  );
}

/** The folders of a server on this host, and the stored values of its variables (by name, decrypted). */
export interface LaunchPlace {
  /** Null if nothing is installed (registry none). */
  installDir: string | null;
  /** The server's private writable folder. */
  dataDir: string;
  values: Readonly<Record<string, string>>;
  /** The path of the Python that GET /api/mcp/runtime reports; needed if the command is `python`. */
  python?: string | null;
}

/** How a stdio server is started; `env` contains its declared variables only. */
export interface Launch {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Variables of format `file`: the content is written with mode 0600 at the start, and the variable holds the path. */
  secretFiles: { variable: string; content: string }[];
  readOnlyPaths: string[];
  writablePaths: string[];
  /** What the server may reach; absent: the network of the host. */
  network?: EntryNetwork;
}

/**
 * Fills in an entry's launch by the rules of catalog-entry.schema.json: an argument whose optional variable has no value
 * is left out, and every variable with a value or a default is put into the environment.
 * @throws {MissingVariables} when a required variable has neither
 * @throws {RuntimeNotDetected} when the entry needs Python or another program and this host has none
 */
export function launchOf(entry: StdioEntry, place: LaunchPlace): Launch {
  const missing = missingVariables(entry, Object.keys(place.values));
  if (missing.length > 0) throw new MissingVariables(missing);
  refuseMissingProgram(entry, place);

  const { command, args, cwd } = entry.manifest.launch;
  const texts = new Map(
    entry.environmentVariables.flatMap((variable) => {
      const text = effectiveValue(variable, place.values, place.dataDir);
      return text === null ? [] : [[variable, text] as const];
    }),
  );
  const fill = filler(place, texts);
  const given = [...texts];
  return {
    command: commandOf(command, place, fill),
    args: args.flatMap((argument) => fill(argument) ?? []),
    cwd: fill(cwd ?? '{dataDir}') ?? place.dataDir,
    env: Object.fromEntries(
      given.filter(([{ format }]) => format !== 'file').map(([{ name }, text]) => [name, text]),
    ),
    secretFiles: given
      .filter(([{ format }]) => format === 'file')
      .map(([{ name }, content]) => ({ variable: name, content })),
    readOnlyPaths: [...hostPaths(entry, fill), ...mounted(given, 'read', place.dataDir)],
    writablePaths: mounted(given, 'write', place.dataDir),
    network: networkOf(entry, fill),
  };
}

/** @throws {RuntimeNotDetected} when a program of the host is required, and is at none of the places where it is looked for */
function refuseMissingProgram(entry: StdioEntry, { values, dataDir }: LaunchPlace): void {
  const missing = entry.environmentVariables.find(
    (variable) =>
      variable.isRequired && variable.searchPaths && effectiveValue(variable, values, dataDir) === null,
  );
  if (!missing) return;
  const { name, description, searchPaths } = missing;
  throw new RuntimeNotDetected(
    `Needs a program of this host that was not found: ${description} Looked for ${(searchPaths ?? []).join(', ')}. Install it, or set ${name} to its path.`,
  );
}

type Fill = (template: string) => string | null;

function filler(place: LaunchPlace, texts: ReadonlyMap<EnvironmentVariable, string>): Fill {
  const byName = new Map([...texts].map(([{ name }, text]) => [name, text]));
  const folders = { installDir: place.installDir ?? undefined, dataDir: place.dataDir };
  return (template) => fillTemplate(template, folders, (name) => byName.get(name) ?? null);
}

function commandOf(command: string, place: LaunchPlace, fill: Fill): string {
  if (command === 'node') return process.execPath;
  if (command !== 'python') return fill(command) ?? command;
  if (!place.python) throw new RuntimeNotDetected('Needs Python, which was not found on this host.');
  return place.python;
}

/**
 * Returns the absolute paths that an entry with registry none names itself, also as `--option=/path`. A path that
 * contains a value is mounted only through `format: filepath`, where it is checked against the data folder.
 */
function hostPaths(entry: StdioEntry, fill: Fill): string[] {
  if (entry.manifest.package.registry !== 'none') return [];
  const { command, args, cwd } = entry.manifest.launch;
  const named = [command, ...args, cwd ?? ''].filter((template) => /^(-[^/=]*=)?\//.test(template));
  const fixed = named.filter((template) => variablesOf(template).length === 0);
  return fixed.flatMap((template) => fill(template)?.replace(/^[^/]*/, '') ?? []);
}

/** Returns the paths of variables with format filepath, except those in the server's own folder, always mounted. */
function mounted(
  given: [EnvironmentVariable, string][],
  access: 'read' | 'write',
  dataDir: string,
): string[] {
  return given
    .filter(([variable]) => variable.format === 'filepath' && variable.access === access)
    .map(([, path]) => path)
    .filter((path) => path !== dataDir && !path.startsWith(`${dataDir}/`));
}
