import { parse, type ParseError } from 'jsonc-parser';
import { visibleText } from '../../platform/http/visible-text.js';
import type { VariableOfFile } from './entry-of-server.js';

/** What the README of a package says about starting its server. */
export interface ReadmeFacts {
  variables: VariableOfFile[];
  /** Templates of arguments behind the name of the package. */
  args: string[];
  /** Arguments with a secret, by the flag: an entry may not pass them, so a person looks for a variable. */
  secretArgs: string[];
}

/** A start command as clients read it from their `mcpServers`. */
interface Example {
  command: string;
  args: string[];
  env: Record<string, string>;
}

const FENCE = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm;
const NAME = '[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+';
const IN_SHELL = new RegExp(`(?:^|\\s)(?:-e|--env|export)[ =]["']?(${NAME})=`, 'gm');
const IN_TABLE = new RegExp(`^\\s*\\|\\s*[*\`]*(${NAME})[*\`]*\\s*\\|(.*)\\|\\s*$`, 'gm');
const IN_LIST = new RegExp(
  `^\\s*[-*+]\\s+[*]*\`(${NAME})\`[*]*\\s*(?:\\(([^)]*)\\))?\\s*[:–—-]+\\s*(.+)$`,
  'gm',
);
const ANYWHERE = new RegExp(`\\b${NAME}\\b`, 'g');
const SECRET =
  /(^|[_-])(API_?KEY|APIKEY|KEY|TOKEN|SECRET|PASS|PASSWD|PASSWORD|CREDENTIALS?|PAT|DSN|COOKIE|CONNECTION_STRING|DATABASE_URL)$/;
const REQUIRED = /^\W*(yes|required|true|✅|✓)\W*$/i;
const MOST_VARIABLES = 100;
const MOST_DESCRIPTION = 300;

/** Returns whether a variable or a flag is called like a credential. */
function namesSecret(name: string): boolean {
  return SECRET.test(name.toUpperCase().replace(/^-+/, '').replaceAll('-', '_'));
}

/**
 * Reads the start of a server from the README of its package: the first `mcpServers` block that starts this package, and
 * the variables of all blocks, shell lines, tables and lists. Nothing of it is believed: a person reviews the entry.
 */
export function readmeFacts(readme: string, packageName: string, programs: readonly string[]): ReadmeFacts {
  const blocks = [...readme.matchAll(FENCE)].map((match) => match[2]!);
  const examples = blocks
    .flatMap((block) => examplesIn(parsedOrNull(block)))
    .filter((example) => ownArguments(example, packageName, programs) !== null);
  const variables = new Map<string, VariableOfFile>();
  for (const { env } of examples)
    for (const [name, value] of Object.entries(env)) declare(variables, name, value);
  for (const block of blocks) for (const [, name] of block.matchAll(IN_SHELL)) declare(variables, name!, '');
  for (const line of readme.replace(FENCE, '').split('\n'))
    if (/environment variable/i.test(line))
      for (const [name] of line.matchAll(ANYWHERE)) declare(variables, name, '');
  for (const [, name, cells] of readme.matchAll(IN_TABLE)) describeFromTable(variables, name!, cells!);
  for (const [, name, note, text] of readme.matchAll(IN_LIST))
    describe(variables, name!, text!, REQUIRED.test(note ?? ''));
  const first = examples[0] && ownArguments(examples[0], packageName, programs);
  return {
    ...argumentsOf(first ?? [], variables),
    variables: [...variables.values()].slice(0, MOST_VARIABLES),
  };
}

/**
 * Returns the credentials that the code of a package reads from its environment, for a README that names none: those that
 * begin with a word of the package's name, since bundled libraries read others.
 */
export function credentialsInCode(code: string, packageName: string): VariableOfFile[] {
  const words = packageName
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => !['', 'MCP', 'SERVER'].includes(word));
  const variables = new Map<string, VariableOfFile>();
  for (const [name] of code.matchAll(ANYWHERE))
    if (namesSecret(name) && words.includes(name.split('_')[0]!)) declare(variables, name, '');
  return [...variables.values()].slice(0, MOST_VARIABLES);
}

/** Parses JSON with comments and trailing commas, also when the outer braces were left out; null if it is none. */
function parsedOrNull(block: string): unknown {
  for (const text of [block, `{${block}}`]) {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    if (errors.length === 0) return value;
  }
  return null;
}

function examplesIn(value: unknown): Example[] {
  if (typeof value !== 'object' || value === null) return [];
  const { command, args = [], env = {} } = value as Record<string, unknown>;
  if (typeof command !== 'string' || !Array.isArray(args)) return Object.values(value).flatMap(examplesIn);
  const texts = args.filter((arg) => typeof arg === 'string');
  const given = Object.entries(typeof env === 'object' && env !== null ? env : {});
  return [
    { command, args: texts, env: Object.fromEntries(given.map(([name, text]) => [name, String(text)])) },
  ];
}

/** Returns the arguments behind the package's name, or behind its own program; null if something else is started. */
function ownArguments(
  { command, args }: Example,
  packageName: string,
  programs: readonly string[],
): string[] | null {
  const words = [
    command.split(/[\\/]/).at(-1)!,
    ...args.flatMap((arg) => (/^npx /.test(arg) ? arg.split(' ') : [arg])),
  ];
  const at = words.findIndex((word) => word === packageName || word.startsWith(`${packageName}@`));
  if (at >= 0) {
    // As in `npx --package @acme/mcp -- acme-mcp start`.
    const behind = words.slice(words[at + 1] === '--' ? at + 2 : at + 1);
    return programs.includes(behind[0] ?? '') ? behind.slice(1) : behind;
  }
  return programs.includes(words[0]!) ? words.slice(1) : null;
}

function declare(variables: Map<string, VariableOfFile>, name: string, example: string): void {
  if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name) || variables.has(name)) return;
  const placeholder = visibleText(example.trim()).slice(0, 200);
  variables.set(name, {
    name,
    description: `Value of ${name}.`,
    isRequired: false,
    isSecret: namesSecret(name),
    ...(placeholder && { placeholder }),
  });
}

/** Takes the longest cell of a row as the description; the name, yes and no are none. */
function describeFromTable(variables: Map<string, VariableOfFile>, name: string, row: string): void {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
  const text = cells.toSorted((a, b) => b.length - a.length)[0] ?? '';
  describe(
    variables,
    name,
    text,
    cells.some((cell) => REQUIRED.test(cell)),
  );
}

function describe(
  variables: Map<string, VariableOfFile>,
  name: string,
  text: string,
  isRequired: boolean,
): void {
  declare(variables, name, '');
  const variable = variables.get(name);
  if (!variable) return;
  const words = visibleText(text)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim();
  if (words.length > 3) variable.description = words.slice(0, MOST_DESCRIPTION);
  if (isRequired) variable.isRequired = true;
}

const EXAMPLE_VALUE =
  /^<.*>$|^\[.*\]$|^\$\{.*\}$|your|xxx|\.\.\.|path[/-]to|example|^\/|^~|^[A-Z]:\\|^[A-Z]+(_[A-Z]+)+$/i;

/** Turns the arguments of an example into templates: what is an example's own value becomes a variable. */
function argumentsOf(
  args: readonly string[],
  variables: Map<string, VariableOfFile>,
): Pick<ReadmeFacts, 'args' | 'secretArgs'> {
  const templates: string[] = [];
  const secretArgs: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!;
    const [, flag = arg, inline] = /^(--?[\w-]+)=(.*)$/s.exec(arg) ?? [];
    const next =
      arg.startsWith('--') && inline === undefined && isValue(args[at + 1]) ? args[++at] : undefined;
    const value = inline ?? next;
    if (namesSecret(value === undefined ? arg.replace(/\W+$/, '') : flag)) secretArgs.push(flag);
    else if (value === undefined)
      templates.push(arg.startsWith('-') ? literal(arg) : positional(arg, variables));
    // The launch leaves out a flag in one piece with a value that is not given, and only that.
    else if (next === undefined) templates.push(`${literal(flag)}=${valueOf(flag, value, variables, false)}`);
    else templates.push(literal(flag), valueOf(flag, value, variables, true));
  }
  return { args: templates, secretArgs };
}

function isValue(arg: string | undefined): arg is string {
  return arg !== undefined && !arg.startsWith('-');
}

function valueOf(
  wanted: string,
  value: string,
  variables: Map<string, VariableOfFile>,
  isRequired: boolean,
): string {
  return EXAMPLE_VALUE.test(value) ? placeholderOf(wanted, value, variables, isRequired) : literal(value);
}

function positional(value: string, variables: Map<string, VariableOfFile>): string {
  const isPath = /^[/~]|path|^[A-Z]:\\/i.test(value);
  const wanted = isPath ? 'PATH_TO_USE' : value;
  const template = valueOf(wanted, value, variables, !variables.has(wanted));
  // The sandbox shows a server only paths of this format.
  const variable = variables.get(/^\{env:(.*)\}$/.exec(template)?.[1] ?? '');
  if (isPath && variable) variable.format = 'filepath';
  return template;
}

function placeholderOf(
  wanted: string,
  value: string,
  variables: Map<string, VariableOfFile>,
  isRequired: boolean,
): string {
  const base =
    wanted
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^[_0-9]+|_+$/g, '')
      .slice(0, 56) || 'VALUE';
  let name = base;
  for (let number = 2; variables.has(name); number += 1) name = `${base}_${number}`;
  declare(variables, name, value);
  const variable = variables.get(name)!;
  Object.assign(variable, {
    isRequired,
    isSecret: false,
    description: `In place of ${value} among the arguments.`,
  });
  return `{env:${name}}`;
}

function literal(text: string): string {
  return text.replaceAll('{', '{{');
}
