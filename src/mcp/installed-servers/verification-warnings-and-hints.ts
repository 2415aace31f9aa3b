import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import type { CatalogEntry, StdioEntry } from '../catalog/catalog-entry.js';
import type { McpConnection } from '../processes/connection/mcp-connection.js';
import { McpError, McpUnavailable } from '../processes/connection/mcp-errors.js';
import type { WarningList } from '../server-records/definition-rules-and-warnings.js';
import { LIST_METHODS, type ListKind, offersOf } from '../server-records/prompt-and-resource-definitions.js';
import type { ListedTool } from '../server-records/tool-definition.js';

const MODULE_MISSING =
  /Cannot find (module|package)|ERR_MODULE_NOT_FOUND|No module named|ModuleNotFoundError/;
const NATIVE_MISSING =
  /Cannot find module '[^']*\.node'|build\/Release|Could not locate the bindings|NODE_MODULE_VERSION|prebuilds?\b/;
const READ_ONLY = /\bEROFS\b|read-only file system|\bEACCES\b|permission denied/i;
const NOT_FOUND = /\bENOENT\b|no such file or directory/i;
const NAMES_PLACE = /(^|_)(PATH|FILE|DIR|DIRECTORY|FOLDER|HOME)$/;

/**
 * Returns what a person can do against a start that failed for what the sandbox hides or forbids; null where the last
 * lines of the server show no such cause. The words are those of Node, of Python and of the C library.
 */
export function startHint(entry: CatalogEntry, stderrTail: string): string | null {
  if (entry.transport !== 'stdio') return null;
  const { registry } = entry.manifest.package;
  if (registry !== 'none' && !entry.manifest.runInstallScripts && NATIVE_MISSING.test(stderrTail))
    return 'A module of its package is built by an install script, and the entry runs none: after a review, set manifest.runInstallScripts to true and install the server again.';
  if (registry === 'none' && (MODULE_MISSING.test(stderrTail) || NOT_FOUND.test(stderrTail)))
    return missingHint(entry, stderrTail);
  return READ_ONLY.test(stderrTail) ? writableHint(entry) : null;
}

const MISSING_FILE = /(?:Cannot find module|can't open file|no such file or directory, open) '(\/[^'\n]+)'/;
const MISSING_PACKAGE = /Cannot find (?:package|module) '((?:@[\w.-]+\/)?[\w-][\w.-]*)/;

const HIDDEN =
  'The sandbox shows the server only the system, its own folder, and the paths that manifest.launch names: name the folder of its code in launch.cwd, and any other path by a variable of the format filepath.';

/** A file that is nowhere, or a module that was never installed, is hidden by no sandbox. */
function missingHint({ manifest: { launch } }: StdioEntry, stderrTail: string): string {
  const [, file = ''] = MISSING_FILE.exec(stderrTail) ?? [];
  const named = launch.args.map((argument) => resolve(launch.cwd ?? '/', argument));
  if (named.includes(file) && !existsSync(file))
    return `The file that launch.args names, ${file}, does not exist on this host. Correct the entry, or create the file.`;
  const [, module] = MISSING_PACKAGE.exec(stderrTail) ?? [];
  if (module === undefined || launch.cwd === null) return HIDDEN;
  return `The module ${module} is not in ${launch.cwd}. Install it there (npm install ${module}), or name the folder that has the server's node_modules in launch.cwd: the sandbox hides all others.`;
}

function writableHint({ environmentVariables }: StdioEntry): string {
  const variable = environmentVariables.find(({ name }) => NAMES_PLACE.test(name));
  const where = variable
    ? `give ${variable.name} a default below {dataDir} in the entry`
    : 'name a path below {dataDir} among launch.args or in the default of a variable';
  return `The server may write into its own folder only, which is its working folder and {dataDir} in the entry, and not beside its code: ${where}, or mount one by a variable of the format filepath with access write.`;
}

/** The time for all lists together. A server that gives none in it is not refused for that. */
const PATIENCE_MS = 5_000;
const MOST_PAGES = 20;

/** Adds what is odd in the prompts, resources and templates that a server declares and lists. */
export async function warnOfOffers(
  connection: McpConnection,
  warnings: WarningList,
  signal: AbortSignal,
): Promise<void> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  for (const kind of declaredBy(connection)) {
    try {
      offersOf(kind, await entriesOf(connection, kind, patience), warnings);
    } catch (error) {
      if (signal.aborted || !(error instanceof McpError || error instanceof McpUnavailable)) throw error;
      warnings.add(LIST_METHODS[kind].method, 'The server declares this list and did not answer with it.');
    }
  }
}

function declaredBy({ capabilities }: McpConnection): ListKind[] {
  return [
    ...('prompts' in capabilities ? (['prompts'] as const) : []),
    ...('resources' in capabilities ? (['resources', 'templates'] as const) : []),
  ];
}

async function entriesOf(connection: McpConnection, kind: ListKind, signal: AbortSignal): Promise<unknown[]> {
  const { method, member } = LIST_METHODS[kind];
  const entries: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const result = await connection.request(method, cursor === undefined ? {} : { cursor }, { signal });
    const listed = result[member];
    if (Array.isArray(listed)) entries.push(...listed);
    if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break;
    cursor = result.nextCursor;
  }
  return entries;
}

/** Adds what a server wrote among its messages. The next line may stand in the middle of one, which is then lost. */
export function warnOfStray({ stray }: McpConnection, warnings: WarningList): void {
  if (!stray) return;
  const [lines, were] =
    stray.count === 1
      ? ['1 line', 'that is no message of MCP, and it was']
      : [`${stray.count} lines`, 'that are no messages of MCP, and they were'];
  warnings.add(
    'stdout',
    `The server wrote ${lines} to stdout ${were} skipped. Logs belong to stderr. The first: ${stray.first}`,
  );
}

/** Checks schemas against the one of draft 7, which a later draft only extends. Forms of texts, such as patterns, differ too much. */
const metaSchema = new Ajv({ strict: false, validateFormats: false, logger: false });

/** Adds the input schemas that are none: the service passes them on, as most clients do, to an API that checks them. */
export function warnOfSchemas(tools: readonly ListedTool[], warnings: WarningList): void {
  for (const { definition, invalid } of tools) {
    if (invalid !== null) continue;
    const { $schema: _, ...schema } = definition.inputSchema;
    if (metaSchema.validateSchema(schema) === true) continue;
    const { instancePath, message, params } = metaSchema.errors![0]!;
    const allowed: unknown = params.allowedValues;
    const which = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
    warnings.add(
      definition.name,
      `inputSchema is no valid JSON Schema, because ${instancePath.slice(1).replaceAll('/', '.')} ${message}${which}. Model APIs refuse a whole list of tools for that.`,
    );
  }
}

/** About 25,000 tokens. Models choose worse among many tools, long before their context is full. */
const LARGE_BYTES = 100_000;
const MANY_TOOLS = 100;
const BYTES_OF_TOKEN = 4;

/** Adds what a long list of tools costs: each turn of an agent begins with all that it is granted. */
export function warnOfCost(tools: readonly ListedTool[], warnings: WarningList): void {
  const given = tools.filter(({ invalid }) => invalid === null).map(({ definition }) => definition);
  const bytes = Buffer.byteLength(JSON.stringify(given));
  if (bytes <= LARGE_BYTES && given.length <= MANY_TOOLS) return;
  const tokens = Math.round(bytes / BYTES_OF_TOKEN / 1_000) * 1_000;
  warnings.add(
    'tools/list',
    `The list has ${given.length} tools and ${Math.ceil(bytes / 1_000)} kB: about ${tokens.toLocaleString('en')} tokens at each turn of an agent that has all of them. Grant each agent the tools that it needs.`,
  );
}
