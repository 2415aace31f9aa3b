import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cutToBytes, storableText, textError } from '../../platform/http/text-and-instant-rules.js';
import { withVisibleDescriptions } from '../../platform/http/visible-text.js';
import { canonicalJson, isJsonObject, jsonText } from '../../platform/json/exact-json.js';
import {
  Findings,
  flag,
  icons,
  members,
  meta,
  oneOf,
  orLeftOut,
  type Rule,
  text,
  WarningList,
} from './definition-rules-and-warnings.js';
import { inputSchemaOf, outputSchemaOf, rootCombinators, withSortedSets } from './tool-schemas.js';

/** What a server says about one tool, in the order in which it says it, with members of its maker's own. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
  icons?: unknown[];
  execution?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** A tool of a listing. */
export interface ListedTool {
  definition: ToolDefinition;
  /** Why agents do not get it; null where they may. The definition is then as the server wrote it. */
  invalid: string | null;
}

/** A longer name fits no index of the database, and the journal keeps names for good. MCP asks for 128 at most. */
const NAME_MAX_BYTES = 1_024;

/** The members of a tool that a model reads. No comparison covers others, such as `_meta` and those of the maker's own. */
const READ = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

const hints = { readOnlyHint: flag, destructiveHint: flag, idempotentHint: flag, openWorldHint: flag };
const TASK_SUPPORT = oneOf('required', 'optional', 'forbidden');
const RULES: Record<string, Rule> = {
  name: text,
  title: text,
  description: text,
  annotations: members({ title: text, ...hints }),
  icons,
  execution: orLeftOut(members({ taskSupport: TASK_SUPPORT })),
  _meta: meta,
};
const frame = members(RULES);

/** How long the checks of a listing may hold up other work at a time, in milliseconds. */
const TURN_MS = 20;

/**
 * Checks what a server lists as its tools. An entry that strict clients refuse is changed where that changes no meaning,
 * and is otherwise invalid; one without a usable name is skipped. Each concerns itself only (contract §3.3).
 * @param warnings gets what an Admin should know
 * @returns one tool per name, in the order of the server
 */
export async function listingOf(
  entries: readonly unknown[],
  warnings = new WarningList(),
): Promise<ListedTool[]> {
  const byName = new Map<string, ListedTool>();
  /** The entries that count, as the server wrote them. */
  const written = new Map<string, unknown>();
  let turn = performance.now();
  for (const [at, entry] of entries.entries()) {
    const skipped = reasonToSkip(entry, written);
    if (skipped !== null) {
      if (skipped !== '') warnings.add(nameOf(entry) ?? `tools[${at}]`, skipped);
      continue;
    }
    const tool = checkedTool(entry as Record<string, unknown>, warnings);
    written.set(tool.definition.name, entry);
    byName.set(tool.definition.name, tool);
    if (performance.now() - turn < TURN_MS) continue;
    await nextTurn();
    turn = performance.now();
  }
  return [...byName.values()];
}

/** Checks one definition that has a usable name. */
export function checkedTool(entry: Record<string, unknown>, warnings = new WarningList()): ListedTool {
  const findings = new Findings();
  const kept = withVisibleTexts(Object.entries(entry));
  const definition = repaired(kept, findings);
  const invalid = findings.errors[0] ?? reasonAgainst(definition);
  const subject = String(entry.name);
  if (invalid !== null) {
    const reason = storableText(invalid);
    warnings.add(subject, `The tool is withheld from agents, because ${reason}.`);
    return { definition: storableCopy(kept) as unknown as ToolDefinition, invalid: reason };
  }
  for (const repair of findings.repairs)
    warnings.add(subject, `The definition of the tool was repaired: ${repair}`);
  const combinators = rootCombinators(definition.inputSchema);
  if (combinators.length > 0)
    warnings.add(
      subject,
      `inputSchema has ${combinators.join(', ')} at its root. Model APIs refuse a whole list of tools for that.`,
    );
  return { definition, invalid: null };
}

function repaired(kept: Record<string, unknown>, findings: Findings): ToolDefinition {
  const { inputSchema: _in, outputSchema: _out, ...others } = kept;
  const checked = frame(others, '', findings) as Record<string, unknown>;
  checked.inputSchema = inputSchemaOf(kept.inputSchema, findings);
  checked.outputSchema = outputSchemaOf(kept.outputSchema ?? null, findings);
  const ordered = [...Object.keys(kept), 'inputSchema'].filter((name) => checked[name] !== undefined);
  return Object.fromEntries(ordered.map((name) => [name, checked[name]])) as unknown as ToolDefinition;
}

function reasonAgainst(definition: ToolDefinition): string | null {
  if (!isStorable(definition)) return 'it has characters that cannot be stored (NUL or a lone surrogate)';
  if (definition.execution?.taskSupport === 'required')
    return 'it can be called as a task only, which the service does not do';
  return null;
}

/** @returns null for an entry that counts; an empty text where there is nothing to tell, since a page came twice */
function reasonToSkip(entry: unknown, before: ReadonlyMap<string, unknown>): string | null {
  if (!isJsonObject(entry)) return 'The entry was skipped, because it is no tool.';
  const { name } = entry;
  if (typeof name !== 'string' || name === '')
    return 'The entry was skipped, because it is no tool: it has no name.';
  if (Buffer.byteLength(name) > NAME_MAX_BYTES)
    return `The tool was skipped, because its name has more than ${NAME_MAX_BYTES} bytes.`;
  if (textError(name) !== null)
    return 'The tool was skipped, because its name has characters that cannot be stored (NUL or a lone surrogate).';
  if (!before.has(name)) return null;
  if (jsonText(before.get(name)) === jsonText(entry)) return '';
  return 'The name is listed more than once; the first tool of that name counts.';
}

function nameOf(entry: unknown): string | null {
  if (!isJsonObject(entry) || typeof entry.name !== 'string' || entry.name === '') return null;
  return cutToBytes(storableText(entry.name), NAME_MAX_BYTES);
}

/** Shows invisible characters wherever a model reads. `_meta` is data. */
function withVisibleTexts(entries: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === '_meta' ? value : withVisibleDescriptions({ [name]: value })[name],
    ]),
  );
}

/** Returns the SHA-256 in hex of the canonical JSON of what a model reads of a tool (contract §3.3). */
export function hashOf(definition: ToolDefinition): string {
  return sha256(canonicalJson(readIn(definition)));
}

/**
 * Returns a text that two definitions share which mean the same: whatever the order of their members and sets, and
 * whether they were stored before or after the repair.
 * @param own matches what names the folders of one process, which are no part of the meaning; absent: nothing does
 */
export function meaningOf(definition: ToolDefinition, own?: RegExp): string {
  const { definition: checked, invalid } = checkedTool({ ...definition });
  const read = readIn(checked);
  const schemas = {
    inputSchema: withSortedSets(read.inputSchema),
    ...(read.outputSchema && { outputSchema: withSortedSets(read.outputSchema) }),
  };
  const meant = canonicalJson({ ...read, ...schemas });
  return sha256(`${invalid === null} ${own ? meant.replace(own, '{own}') : meant}`);
}

function readIn(definition: ToolDefinition): Partial<ToolDefinition> {
  const read = READ.map((name) => [name, definition[name]]);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Partial<ToolDefinition>;
}

const sha256 = (value: string): string => createHash('sha256').update(value).digest('hex');

function isStorable(definition: object): boolean {
  let storable = true;
  JSON.stringify(definition, (key, value: unknown) => {
    if (textError(key) !== null || (typeof value === 'string' && textError(value) !== null)) storable = false;
    return value;
  });
  return storable;
}

/** Returns a copy whose texts the database accepts. */
function storableCopy(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableCopy);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [storableText(name), storableCopy(item)]),
  );
}
