import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative } from 'node:path';
import { Problem } from '../../platform/http/problem.js';
import type { CatalogEntry, EnvironmentVariable } from './catalog-entry.js';

/** A part of a template: plain text, a folder of the server, or the value of a declared variable. */
export type Piece = { text: string } | { folder: Folder } | { variable: string };
export type Folder = 'installDir' | 'dataDir';

const TOKENS = /\{\{|\{([^{}]*)\}|\{/g;

/** A template is invalid; the message is a sentence for the author of the entry. */
export class TemplateError extends Error {}

/**
 * Parses a template of an entry: `{installDir}`, `{dataDir}`, `{env:NAME}`, and `{{` for a literal `{`
 * (catalog-entry.schema.json).
 * @throws {TemplateError} when it contains another placeholder, or a `{` that begins none
 */
export function parseTemplate(template: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of template.matchAll(TOKENS)) {
    pieces.push({ text: template.slice(end, match.index) }, pieceOf(match[0], match[1]));
    end = match.index + match[0].length;
  }
  pieces.push({ text: template.slice(end) });
  return pieces.filter((piece) => !('text' in piece) || piece.text !== '');
}

/** Returns the names of the variables that a template uses; none for an invalid template. */
export function variablesOf(template: string): string[] {
  return parsedOrEmpty(template).flatMap((piece) => ('variable' in piece ? [piece.variable] : []));
}

/**
 * Fills in a template. `variable` returns the text of a variable, or null if it has no value; then the result is null,
 * and the argument or header of the template is left out.
 */
export function fillTemplate(
  template: string,
  folders: Partial<Record<Folder, string>>,
  variable: (name: string) => string | null,
): string | null {
  let filled = '';
  for (const piece of parseTemplate(template)) {
    const text =
      'text' in piece ? piece.text : 'folder' in piece ? folders[piece.folder] : variable(piece.variable);
    if (text === null || text === undefined) return null;
    filled += text;
  }
  return filled;
}

function pieceOf(token: string, name: string | undefined): Piece {
  if (token === '{{') return { text: '{' };
  if (name === 'installDir' || name === 'dataDir') return { folder: name };
  if (name?.startsWith('env:')) return { variable: name.slice('env:'.length) };
  throw new TemplateError(
    `${token} is not a placeholder: use {installDir}, {dataDir} or {env:NAME}, and {{ for a literal {.`,
  );
}

function parsedOrEmpty(template: string): Piece[] {
  try {
    return parseTemplate(template);
  } catch {
    // The rules for templates report the error; here an invalid template uses nothing.
    return [];
  }
}

/** The placeholders that a template may use. Each method returns why one is not allowed, or null if it is. */
export interface PlaceholderRule {
  folder(folder: Folder): string | null;
  variable(name: string): string | null;
}

/** Returns the first error of a template, in its syntax or by the rule for its placeholders; null if it is valid. */
export function templateError(template: string, rule: PlaceholderRule): string | null {
  try {
    for (const piece of parseTemplate(template)) {
      if ('text' in piece) continue;
      const error = 'folder' in piece ? rule.folder(piece.folder) : rule.variable(piece.variable);
      if (error) return error;
    }
    return null;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

/** Makes a rule for declared variables whose errors name the variable; an undeclared variable is an error too. */
export function declared<Variable extends { name: string }>(
  variables: readonly Variable[],
  rule: (variable: Variable) => string | null,
): (name: string) => string | null {
  return (name) => {
    const variable = variables.find((candidate) => candidate.name === name);
    if (!variable) return `uses ${name}, which is not declared in environmentVariables`;
    const error = rule(variable);
    return error && `uses ${name}, ${error}`;
  };
}

/** Longer values are rejected (contract §3.3). Linux passes at most 128 KiB in one variable. */
const MAX_VALUE_BYTES = 32 * 1024;

const FORMATS: Record<NonNullable<EnvironmentVariable['format']>, (value: string) => string | null> = {
  string: () => null,
  file: () => null,
  number: (value) => (/^-?\d+(\.\d+)?$/.test(value) ? null : 'must be a decimal number'),
  boolean: (value) => (value === 'true' || value === 'false' ? null : 'must be true or false'),
  filepath: (value) => (value.startsWith('/') ? null : 'must be an absolute path of this host'),
};

/**
 * Returns why a value is not valid for a declared variable of an entry (contract §3.1, §3.3), or null if it is. The
 * message never contains the value, which may be a secret.
 */
export function valueError(
  entry: CatalogEntry,
  variable: EnvironmentVariable,
  value: unknown,
): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES) return `must be at most ${MAX_VALUE_BYTES} bytes long`;
  if (value.includes('\0')) return 'must not contain NUL';
  if (isUsedInHeader(entry, variable.name) && !isHeaderText(value))
    return 'is sent in a header and must not contain line breaks or other control characters';
  return formatError(variable, value);
}

/** Returns why a value does not have the format, choice or pattern that its variable declares, or null if it does. */
export function formatError(variable: EnvironmentVariable, value: string): string | null {
  if (variable.choices) {
    if (!variable.choices.includes(value)) return `must be one of ${variable.choices.join(', ')}`;
  } else if (variable.format) {
    const error = FORMATS[variable.format](value);
    if (error) return error;
  }
  if (variable.pattern && !new RegExp(`^(?:${variable.pattern})$`, 'u').test(value))
    return `must match ${variable.pattern}`;
  return null;
}

/**
 * Returns the text that the server gets for a variable: the given value, or else the default with `{dataDir}` filled in,
 * or else the first of its search paths that is on this host, or else null.
 */
export function effectiveValue(
  variable: EnvironmentVariable,
  values: Readonly<Record<string, string>>,
  dataDir?: string,
): string | null {
  const given = values[variable.name];
  if (given !== undefined) return given;
  if (variable.searchPaths) return variable.searchPaths.find((path) => existsSync(path)) ?? null;
  return variable.default === null ? null : fillTemplate(variable.default, { dataDir }, () => null);
}

/** Returns the names of the required variables without value, default and search paths, in the entry's order. */
export function missingVariables(entry: CatalogEntry, configured: readonly string[]): string[] {
  return entry.environmentVariables
    .filter(
      ({ name, isRequired, default: fallback, searchPaths }) =>
        isRequired && fallback === null && !searchPaths && !configured.includes(name),
    )
    .map(({ name }) => name);
}

/** 409: a required variable has no value; PUT /api/mcp/installed/{id} with `envValues` sets one. */
export class MissingVariables extends Problem {
  constructor(names: string[]) {
    super('missing_variables', `Give values for ${names.join(', ')} with envValues first.`, {
      members: { variables: names },
    });
  }
}

function isUsedInHeader(entry: CatalogEntry, name: string): boolean {
  if (entry.transport === 'stdio') return false;
  return Object.values(entry.manifest.headers).some((template) => variablesOf(template).includes(name));
}

/** Returns whether a text is a valid HTTP field value (RFC 9110 §5.5). */
function isHeaderText(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

/** In the value of a `filepath` variable: the agent whose process uses the path (contract §3.1). */
const AGENT_ID = '{agentId}';

/** Returns why an entry cannot take a path with placeholders, or null if it can. */
export function agentPathError({ manifest }: CatalogEntry, path: string): string | null {
  if (path.includes('{issueKey}'))
    return 'must not contain {issueKey}: a process of a server serves all issues of its agents. Use {agentId}';
  if (!path.includes(AGENT_ID) || manifest.sharing === 'agent') return null;
  return 'may contain {agentId} only where every agent has a process of its own (`sharing: agent` in the entry)';
}

/** Returns the part of a path that must be there already: for one with `{agentId}` the folder of all agents' folders. */
export function lastingPart(path: string): string {
  const at = path.indexOf(AGENT_ID);
  return at === -1 ? path : dirname(`${path.slice(0, at)}x`);
}

/** Returns the path for one process, and the folder that it needs; null where the path is the same for all. */
export function agentPathOf(path: string, scope: string): { path: string; folder: string } | null {
  if (!path.includes(AGENT_ID)) return null;
  const own = path.replaceAll(AGENT_ID, scope);
  // A name without an extension is that of a folder, as in `missingPathError`.
  return { path: own, folder: extname(basename(own)) === '' ? own : dirname(own) };
}

/**
 * Returns why a server must not get a path of this host (format filepath), or null if it may. The path must neither
 * contain nor lie in the data folder, which holds other servers and the key ring (contract §3.1). Symbolic links are
 * followed.
 */
export async function hostPathError(path: string, dataFolder: string): Promise<string | null> {
  const [real, realData] = await Promise.all([realPathOf(path), realPathOf(dataFolder)]);
  return within(real, realData) || within(realData, real)
    ? 'must lie outside the data folder of the service and must not contain it'
    : null;
}

/**
 * Returns why a path of this host cannot be mounted because it is not there, or null. The file that a server creates
 * itself may be missing if its folder is there; a name without an extension is that of a folder.
 */
export async function missingPathError(path: string): Promise<string | null> {
  if (!isAbsolute(path) || (await isThere(path))) return null;
  if (extname(path) !== '' && (await isThere(dirname(path)))) return null;
  return 'is not on this host: create the folder first, or correct the path';
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    // Only a path that is certainly missing is refused: the server may read one that the service cannot.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

/** Resolves the part of the path that exists and keeps the rest as it is. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // This part does not exist: resolve its parent.
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
  }
}

function within(path: string, folder: string): boolean {
  const fromFolder = relative(folder, path);
  return fromFolder !== '..' && !fromFolder.startsWith('../');
}
