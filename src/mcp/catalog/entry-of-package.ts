import { validRange } from 'semver';
import { visibleText } from '../../platform/http/visible-text.js';
import {
  type ImportChoices,
  refuseErrors,
  type ResolvedPackage,
  type VariableOfFile,
} from './entry-of-server.js';
import { isRefusedName } from './catalog-files.js';
import { credentialsInCode, readmeFacts } from './package-readme.js';
import { ImportError } from './server-json-and-import-source.js';

const MOST_NAMES = 20;
const LONGEST_PATH = 500;
const LONGEST_ADDRESS = 1_000;

/** The parts of a package.json from which an entry is made. */
export interface PackageManifest {
  name: string;
  version: string;
  description?: string;
  homepage?: string;
  license?: unknown;
  engines?: { node?: unknown };
  bin?: string | Record<string, string>;
}

/** An entry's file, and what a person has to know about it. */
export interface EntryOfPackage {
  entry: Record<string, unknown> & { id: string; environmentVariables: VariableOfFile[] };
  notes: string[];
}

/**
 * Makes the file of a catalogue entry from a package of npm, which says in its manifest and README how it is started:
 * `verified: false`, exact, with `engines` as the range of Node, which an unreviewed entry is only warned of.
 * @param texts the README, and the code of the package where the README names no credential
 * @throws {ImportError} with every error when the entry would break a rule of the catalogue
 */
export function entryOfPackage(
  manifest: PackageManifest,
  texts: { readme: string; code: string },
  { integrity, program }: ResolvedPackage,
  choices: ImportChoices,
): EntryOfPackage {
  const { name, version } = manifest;
  const programs = typeof manifest.bin === 'object' ? Object.keys(manifest.bin) : [name.split('/').at(-1)!];
  const facts = readmeFacts(texts.readme, name, programs);
  const args = facts.args.filter((arg) => visibleText(arg) === arg);
  const id = choices.id ?? idOfPackage(name);
  const named = new Set(facts.variables.map((variable) => variable.name));
  const read = facts.variables.some(({ isSecret }) => isSecret) ? [] : credentialsInCode(texts.code, name);
  const { kept, refused } = allowed([...facts.variables, ...read.filter((one) => !named.has(one.name))]);
  const entry = {
    ...{
      id,
      name: titleOf(name),
      description: textOf(manifest.description) ?? `The package ${name} of npm.`,
    },
    ...{ category: choices.category, verified: false, verifiedBy: null, importedFrom: choices.importedFrom },
    ...{ version, publisher: name.startsWith('@') ? name.slice(1).split('/')[0] : null },
    ...{ homepage: webAddress(manifest.homepage), license: textOf(manifest.license) },
    ...{ transport: 'stdio', runtime: 'node', runtimeVersion: nodeRange(manifest) },
    installInstructions:
      'Imported from npm, where everybody may publish, and not reviewed yet. Variables and arguments are those of its README. Review the package, its variables and its network, then set verified and verifiedBy.',
    manifest: {
      package: { registry: 'npm', name, version, integrity },
      network: choices.network,
      launch: { command: 'node', args: [`{installDir}/node_modules/${name}/${program}`, ...args] },
      noProbeReason: 'it was imported, and no operator has chosen a tool to try it with',
    },
    environmentVariables: kept,
  };
  refuseErrors(entry, name);
  const origin = texts.readme === '' ? 'It has no README that says how it is started.' : null;
  return { entry, notes: [...(origin ? [origin] : []), ...notesOf(facts.secretArgs, kept, refused)] };
}

function notesOf(
  secretArgs: readonly string[],
  kept: readonly VariableOfFile[],
  refused: readonly string[],
): string[] {
  const secrets = kept.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  const instead =
    secrets.length > 0
      ? `${secrets.slice(0, 3).join(' or ')} ${secrets.length === 1 ? 'seems' : 'seem'} to carry it`
      : 'find the variable that the server reads instead, and add it as a secret';
  const readOnly = kept.filter(({ format, access = 'read' }) => format === 'filepath' && access === 'read');
  return [
    ...secretArgs.map(
      (flag) =>
        `Its README passes a secret by ${flag}, which every user of the host could read. It is left out: ${instead}.`,
    ),
    ...refused.map((name) => `Its README names ${name}, which controls a runtime. It is left out.`),
    ...readOnly.map(
      ({ name }) =>
        `The server may only read the path of ${name}. Where it has to write there, give the variable "access": "write".`,
    ),
  ];
}

/** Separates the variables that the schema of an entry refuses by name, because they control a runtime. */
function allowed(variables: readonly VariableOfFile[]): { kept: VariableOfFile[]; refused: string[] } {
  const kept = variables.filter(({ name }) => !isRefusedName(name));
  return { kept, refused: variables.filter((one) => !kept.includes(one)).map(({ name }) => name) };
}

function nodeRange({ engines }: PackageManifest): string | null {
  const range = textOf(engines?.node);
  return range !== null && validRange(range) !== null ? range : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? visibleText(value.trim()) : null;
}

function webAddress(value: unknown): string | null {
  const text = textOf(value);
  if (text === null || text.length > LONGEST_ADDRESS || !URL.canParse(text) || !/^https?:/.test(text))
    return null;
  // The schema takes an address in ASCII.
  return /^[\x21-\x7e]+$/.test(text) ? text : new URL(text).href;
}

/** Returns what a package is called without `mcp` and `server`: agents read it before the name of each tool. */
function titleOf(name: string): string {
  const [last = name, scope = last] = name.split('/').toReversed();
  const words = (text: string): string[] =>
    text.split(/[^A-Za-z0-9]+/).filter((word) => !['', 'mcp', 'server'].includes(word.toLowerCase()));
  const own = words(last).length > 0 ? words(last) : words(scope);
  return own.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(' ') || last;
}

function idOfPackage(name: string): string {
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.slice(0, 64).replace(/^-+|-+$/g, '');
}

/**
 * Returns the path of the program inside the package: the wanted one, its only one, or the one that is named like the
 * package, as a template.
 * @throws {ImportError} when there is none, or when several are left
 */
export function programPath(
  packageName: string,
  bin: string | Record<string, string> | undefined,
  wanted?: string | null,
): string {
  const own = packageName.split('/').at(-1)!;
  const isTable = typeof bin === 'object' && !Array.isArray(bin);
  const programs = typeof bin === 'string' ? { [own]: bin } : isTable ? bin : {};
  const names = Object.keys(programs).slice(0, MOST_NAMES);
  const name = wanted ?? (names.length === 1 ? names[0]! : own);
  const found: unknown = Object.hasOwn(programs, name) ? programs[name] : null;
  if (typeof found !== 'string' || found === '')
    throw new ImportError(
      names.length <= 1
        ? `${packageName} has no program to start.`
        : `${packageName} has several programs: choose one with npm run catalog:import and --program (${visibleText(names.join(', '))}).`,
    );
  const path = found.replace(/^(\.\/)+/, '');
  if (path.startsWith('/') || path.split(/[\\/]/).includes('..'))
    throw new ImportError(`The program ${visibleText(name)} of ${packageName} lies outside of the package.`);
  if (path.length > LONGEST_PATH || visibleText(path) !== path)
    throw new ImportError(
      `The program of ${packageName} has a path with invisible characters, or of more than ${LONGEST_PATH} characters.`,
    );
  return path.replaceAll('{', '{{');
}
