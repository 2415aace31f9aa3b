import { randomUUID } from 'node:crypto';
import { constants, readFileSync } from 'node:fs';
import { access, link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import formats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { nearMiss } from '../../platform/config/load-settings.js';
import { ConfigurationError } from '../../platform/exit/exit-codes.js';
import type { FieldError } from '../../platform/http/problem.js';
import type { CatalogEntry } from './catalog-entry.js';
import { entryErrors } from './entry-rules.js';
import { ImportError } from './server-json-and-import-source.js';

/** The JSON Schema of an entry, as GET /api/mcp/catalog/schema returns it. */
export const SCHEMA: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('./catalog-entry.schema.json', import.meta.url), 'utf8'),
);
/** Each start compiles the schema, and takes a third of the time when Ajv neither checks it nor optimizes the code. */
const ajv = new Ajv2020({
  validateSchema: false,
  code: { optimize: false },
  allErrors: true,
  useDefaults: true,
  verbose: true,
  strict: true,
  allowUnionTypes: true,
});
formats.default(ajv);
const validate = ajv.compile<CatalogEntry>(SCHEMA);

export type ParsedEntry =
  | { entry: CatalogEntry; errors?: undefined }
  | { entry?: undefined; errors: FieldError[] };

/**
 * Validates a parsed file against `catalog-entry.schema.json` and fills in its defaults, in place. The configuration of a
 * client, which READMEs print, gets one sentence and not an error for each member of an entry.
 */
export function parseEntry(parsed: unknown): ParsedEntry {
  if (isOfAClient(parsed)) return { errors: [{ path: 'mcpServers', message: OF_A_CLIENT }] };
  if (validate(parsed)) return { entry: parsed };
  const errors = validate.errors ?? [];
  return { errors: errors.filter((error) => error.keyword !== 'if').map(fieldErrorOf) };
}

/** Returns whether an entry may not have a variable of this name, because it controls a runtime. */
export function isRefusedName(name: string): boolean {
  const { errors = [] } = parseEntry({ environmentVariables: [{ name }] });
  return errors.some(({ path }) => path === 'environmentVariables[0].name');
}

const OF_A_CLIENT =
  'is the configuration of a client. An entry describes one server: for a package of npm `npm run catalog:import -- npm:<package>` writes it, and GET /api/mcp/catalog/schema has its members';

function isOfAClient(parsed: unknown): boolean {
  return typeof parsed === 'object' && parsed !== null && 'mcpServers' in parsed && !('manifest' in parsed);
}

function fieldErrorOf(error: ErrorObject): FieldError {
  const missing: unknown = error.keyword === 'required' ? error.params.missingProperty : undefined;
  if (typeof missing === 'string')
    return { path: dotted(`${error.instancePath}/${missing}`), message: 'is required' };
  return { path: dotted(error.instancePath), message: sentenceOf(error) };
}

/** Turns `/manifest/launch/args/0` into `manifest.launch.args[0]`. */
function dotted(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step),
    '',
  );
}

/** Returns Ajv's own message, except for keywords whose message names no cause. */
function sentenceOf(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties') {
    const unknown = String(error.params.additionalProperty);
    const meant = nearMiss(unknown, Object.keys(error.parentSchema?.properties ?? {}));
    return `has an unknown field: ${unknown}${meant === null ? '' : `. Did you mean ${meant}?`}`;
  }
  if (error.keyword === 'enum') return `must be one of ${JSON.stringify(error.schema)}`;
  if (error.keyword === 'const') {
    const { description } = error.parentSchema ?? {};
    return `must be ${JSON.stringify(error.schema)}${description ? `: ${description}` : ''}`;
  }
  if (error.keyword === 'not') return `is not allowed here: ${error.parentSchema?.description ?? ''}`.trim();
  return error.message ?? 'is not valid';
}

interface CatalogFile {
  name: string;
  file: string;
  text: string;
  error?: string;
}

/** One error in one file of the catalogue; `path` is empty if it concerns the file as a whole. */
export interface CatalogFileError {
  /** The absolute path of the file, or of a folder that cannot be read. */
  file: string;
  path: string;
  message: string;
}

/** The catalogue is invalid. It ends the start and lists every file and error (contract §3.1). */
export class CatalogError extends ConfigurationError {
  constructor(readonly errors: CatalogFileError[]) {
    const lines = errors.map(
      ({ file, path, message }) => `  ${file}: ${[path, message].filter(Boolean).join(' ')}`,
    );
    const wayOut =
      'Correct these files, or leave their folder out of CATALOG_DIRS; docs/catalogue.md describes an entry.';
    super(`The catalogue has ${errors.length} error(s):\n${lines.join('\n')}\n${wayOut}`);
    this.name = 'CatalogError';
  }
}

/**
 * Reads every entry of these folders, by id: files that end in `.json`, without subfolders (contract §3.1). The first
 * folder has the shipped entries, which an entry of another folder may replace.
 * @throws {CatalogError} with every error of every file; a catalogue is never loaded in part
 */
export async function loadCatalog([shipped = '', ...own]: readonly string[]): Promise<
  Map<string, CatalogEntry>
> {
  const errors: CatalogFileError[] = [];
  const ofProduct = await readFolder(shipped, new Map(), errors);
  let ofOperator = new Map<string, CatalogEntry>();
  for (const folder of own) ofOperator = await readFolder(folder, ofOperator, errors, ofProduct);
  if (errors.length > 0) throw new CatalogError(errors);
  return new Map([...ofProduct, ...ofOperator].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns what is wrong with the id of an entry of the operator's beside the shipped ones, or null. */
export function replacementError(
  { id, replaces }: CatalogEntry,
  shipped: { has: (id: string) => boolean },
): string | null {
  return shipped.has(id) && !replaces
    ? `${id} is used twice: the other is the shipped entry. Choose another id, or set "replaces": true to put this entry in its place`
    : null;
}

/** Returns `read` with the entries of one more folder, and adds the errors of its files to `errors`. */
async function readFolder(
  folder: string,
  read: ReadonlyMap<string, CatalogEntry>,
  errors: CatalogFileError[],
  shipped: ReadonlyMap<string, CatalogEntry> = new Map(),
): Promise<Map<string, CatalogEntry>> {
  const entries = new Map(read);
  for (const { name, file, text, error } of await filesOf(folder)) {
    const found = error === undefined ? readEntry(name, text) : { errors: [{ path: '', message: error }] };
    errors.push(...found.errors.map((row) => ({ file, ...row })));
    if (!found.entry) continue;
    const { entry } = found;
    const taken = entries.has(entry.id)
      ? `${entry.id} is used twice: another folder of CATALOG_DIRS has it too`
      : replacementError(entry, shipped);
    if (taken) errors.push({ file, path: 'id', message: taken });
    entries.set(entry.id, entry);
  }
  return entries;
}

/** The JSON Schema of an entry, which editors look for beside the entries. */
const SCHEMA_FILE = 'schema.json';

/** Returns the JSON files of a folder. Symbolic links are followed, because Kubernetes mounts a ConfigMap as links. */
async function filesOf(folder: string): Promise<CatalogFile[]> {
  try {
    const isEntry = (name: string) => name.endsWith('.json') && name !== SCHEMA_FILE;
    const names = (await readdir(folder)).filter(isEntry).toSorted();
    const files = await Promise.all(names.map((name) => fileOf(folder, name)));
    return files.filter((file) => file !== null);
  } catch (error) {
    return [{ name: '', file: folder, text: '', error: `the folder cannot be read (${codeOf(error)})` }];
  }
}

async function fileOf(folder: string, name: string): Promise<CatalogFile | null> {
  const file = join(folder, name);
  try {
    return { name, file, text: await readFile(file, 'utf8') };
  } catch (error) {
    if (codeOf(error) === 'EISDIR') return null;
    return { name, file, text: '', error: `cannot be read (${codeOf(error)})` };
  }
}

function readEntry(name: string, text: string) {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { errors: [{ path: '', message: `is not JSON: ${(error as SyntaxError).message}` }] };
  }
  const { entry, errors } = parseEntry(parsed);
  return entry ? { entry, errors: entryErrors(entry, name) } : { errors };
}

const SHIPPED = fileURLToPath(new URL('./entries', import.meta.url));

/** A folder of the operator's that entries are written into, with all entries that there are. */
export interface EntryFolder {
  folder: string;
  taken: ReadonlyMap<string, CatalogEntry>;
}

/**
 * Returns the folder to write into: the wanted one, or the first.
 * @throws {ImportError} when CATALOG_DIRS has none, or the service may not write there
 */
export async function entryFolder(catalogDirs: readonly string[], wanted?: string): Promise<EntryFolder> {
  const folder = wanted === undefined ? catalogDirs[0] : resolve(wanted);
  if (folder === undefined)
    throw new ImportError('Set CATALOG_DIRS to a folder for entries of your own, and try again.');
  if (!catalogDirs.includes(folder))
    throw new ImportError(
      `${folder} is not a folder of CATALOG_DIRS, so the service would not read the entry.`,
    );
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw new ImportError(`${folder} cannot be written into. Create it, or correct its permissions.`);
  }
  return { folder, taken: await loadCatalog([SHIPPED, ...catalogDirs]) };
}

/**
 * Writes the file of an entry as a whole or not at all, and returns its path.
 * @param replaces whether the entry may take the place of an earlier import in its file
 * @throws {ImportError} when the id is taken
 */
export async function storeEntry(
  { folder, taken }: EntryFolder,
  entry: { id: string },
  replaces: (imported: CatalogEntry) => boolean,
): Promise<string> {
  const file = join(folder, `${entry.id}.json`);
  const existing = await readOrNull(file);
  if (taken.has(entry.id) && existing === null)
    throw new ImportError(`The catalogue has an entry ${entry.id} already: choose another id.`);
  if (existing !== null && !mayReplace(existing, replaces))
    throw new ImportError(
      `${file} exists already: choose another id. Only an earlier import is replaced, and only with replace (the option --force).`,
    );
  // Two imports of one id at once must not write into one file.
  const draft = `${file}.${randomUUID()}.draft`;
  try {
    await writeFile(draft, `${JSON.stringify(entry, null, 2)}\n`);
    // A link fails where the file has appeared in the meantime.
    await (existing === null ? link(draft, file) : rename(draft, file));
  } catch (error) {
    throw new ImportError(`${file} was not written (${codeOf(error)}).`);
  } finally {
    await rm(draft, { force: true });
  }
  return file;
}

function mayReplace(file: string, replaces: (imported: CatalogEntry) => boolean): boolean {
  try {
    const existing = JSON.parse(file) as CatalogEntry;
    return (existing.importedFrom ?? null) !== null && replaces(existing);
  } catch {
    // No import wrote it.
    return false;
  }
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new ImportError(`${file} cannot be read (${codeOf(error)}).`);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown cause';
}
