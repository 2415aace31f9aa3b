import { visibleText } from '../../platform/http/visible-text.js';
import { isRefusedName } from './catalog-files.js';
import type { VariableOfFile } from './entry-of-server.js';
import { examplesIn, linesOf, MOST_VALUE, ownArguments, partsOf } from './readme-examples.js';

/** What the README of a package says about starting its server. */
export interface ReadmeFacts {
  variables: VariableOfFile[];
  /** Templates of arguments behind the name of the package. */
  args: string[];
  /** Arguments with a secret, by the flag: an entry may not pass them, so a person looks for a variable. */
  secretArgs: string[];
}

const MOST_VARIABLES = 100;
const MOST_ARGS = 50;
const MOST_DESCRIPTION = 500;

const NAME = '[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}';
const IN_SHELL = new RegExp(`(?:^| )(?:-e|--env|export)[ =]["']?(${NAME})=`, 'g');
const IN_TABLE = new RegExp(`^\\|[ *\`]{0,8}(${NAME})[ *\`]{0,8}\\|(.*)\\|$`);
const IN_LIST = new RegExp(
  `^[-*+] [*]{0,3}\`(${NAME})\`[*]{0,3} ?(?:\\(([^)]{0,200})\\))? ?[:–—-]{1,3} ?(.+)$`,
);
/** A name in a sentence or in code; `ADVANCED_README.md` is a file. */
const ANYWHERE = new RegExp(`\\b${NAME}\\b(?!\\.[a-z])`, 'g');
/** What stands in place of a value: `YOUR_API_KEY`. */
const STAND_IN = /^(YOUR|MY|EXAMPLE)_/;
const SECRET =
  /(^|_)(API_?KEYS?|KEYS?|TOKENS?|SECRETS?|PASS|PASSWD|PASSWORD|PASSPHRASE|CREDENTIALS?|PAT|JWT|BEARER|AUTH|AUTHORIZATION|HEADERS?|DSN|COOKIES?|CONNECTION_?(STRING|URL|URI)|DATABASE_UR[IL]|DB_UR[IL]|REDIS_UR[IL]|MONGO(DB)?_UR[IL]|WEBHOOK_URL|PRIVATE_KEY_\w+)$/;
/** A value that shows what kind of secret it is, and an address with a password. */
const SECRET_VALUE =
  /\bbearer\b|authorization|^(sk|pk|rk|pat|ghp|gho|glpat|ntn|xox[a-z]|hf|npm)[-_]|^eyJ|:\/\/[^/@]{1,100}:[^/@]{1,100}@/i;
/** Variables of places that a server writes to, or only reads. */
const PLACE = /(^|_)(PATH|FILE|DIR|DIRECTORY|FOLDER)$/;
const WRITTEN = /(^|_)(MEMORY|STORE|STORAGE|CACHE|DATA|DB|DATABASE|LOGS?|OUTPUT|STATE|DOWNLOADS?)(_|$)/;
/** Servers that are started for other transports do not speak on their standard streams. */
const OTHER_TRANSPORT = /^(--?[\w-]+=)?(http|sse|streamable-?http|http-?stream)$/i;
const REQUIRED = /^\W*(yes|required|true|✅|✓)\W*$/i;
const EXAMPLE_VALUE =
  /^<.*>$|^\[.*\]$|^https?:|^\$\{.*\}$|your|xxx|\.\.\.|path[/-]to|example|^\/|^~|^[A-Z]:\\|^[A-Z]+(_[A-Z]+)+$/i;

/** Returns whether a variable or a flag is called like a credential. */
function namesSecret(name: string): boolean {
  const words = name.replace(/^\W+|\W+$/g, '').replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return SECRET.test(words.toUpperCase().replaceAll('-', '_'));
}

/**
 * Reads the start of a server from the README of its package: the first `mcpServers` block that starts this package on
 * its standard streams, and the variables of all blocks, shell lines, tables and lists. Nothing of it is believed: a
 * person reviews the entry.
 */
export function readmeFacts(readme: string, packageName: string, programs: readonly string[]): ReadmeFacts {
  const { blocks, lines } = partsOf(readme);
  const examples = blocks
    .flatMap((block) => examplesIn(block))
    .filter((example) => ownArguments(example, packageName, programs) !== null);
  const first = examples.find(({ args }) => !args.some((arg) => OTHER_TRANSPORT.test(arg)));
  const variables = new Map<string, VariableOfFile>();
  for (const { env } of examples)
    for (const [name, value] of Object.entries(env)) declare(variables, name, value);
  for (const line of blocks.flatMap((block) => linesOf(block)))
    for (const [, name] of line.matchAll(IN_SHELL)) declare(variables, name!, '');
  for (const line of lines)
    if (/environment variable/i.test(line))
      for (const [name] of line.matchAll(ANYWHERE)) if (!STAND_IN.test(name)) declare(variables, name, '');
  for (const line of lines) describeFrom(variables, line);
  const given = first && ownArguments(first, packageName, programs);
  return {
    ...argumentsOf(given?.slice(0, MOST_ARGS) ?? [], variables),
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

function declare(variables: Map<string, VariableOfFile>, name: string, example: string): void {
  if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name) || variables.has(name) || variables.size >= MOST_VARIABLES) return;
  const placeholder = visibleText(example.slice(0, MOST_VALUE).trim());
  const isSecret = namesSecret(name) || SECRET_VALUE.test(placeholder);
  variables.set(name, {
    name,
    description: `Value of ${name}.`,
    isRequired: false,
    isSecret,
    ...(!isSecret && PLACE.test(name) && placeOf(name, placeholder)),
    ...(placeholder && { placeholder }),
  });
}

/** The sandbox shows a server only paths of this format. What it writes goes into its own folder. */
function placeOf(name: string, example: string): Partial<VariableOfFile> {
  const last = /([\w.-]+)[\\/]?$/.exec(example)?.[1];
  // `..` would lead out of the folder of the process.
  const file = last === undefined || /^\.+$/.test(last) ? name.toLowerCase() : last;
  return WRITTEN.test(name)
    ? { format: 'filepath', access: 'write', default: `{dataDir}/${file}` }
    : { format: 'filepath' };
}

/** Takes what a row of a table or an item of a list says of a variable. */
function describeFrom(variables: Map<string, VariableOfFile>, line: string): void {
  const [, ofRow, row] = IN_TABLE.exec(line) ?? [];
  const [, ofItem, note, text] = IN_LIST.exec(line) ?? [];
  if (ofItem !== undefined) describe(variables, ofItem, text!, REQUIRED.test(note ?? ''));
  if (ofRow === undefined) return;
  // The longest cell: the name, yes and no are no descriptions.
  const cells = row!.split('|').map((cell) => cell.trim());
  const longest = cells.toSorted((a, b) => b.length - a.length)[0] ?? '';
  const isRequired = cells.some((cell) => REQUIRED.test(cell));
  describe(variables, ofRow, longest, isRequired);
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
  const words = visibleText(shortened(text))
    .replace(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim();
  if (words.length > 3) variable.description = words;
  if (isRequired) variable.isRequired = true;
}

/** Cuts a text between two words. */
function shortened(text: string): string {
  if (text.length <= MOST_DESCRIPTION) return text;
  const cut = text.slice(0, MOST_DESCRIPTION);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1))} …`;
}

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
    if (namesSecret(flag) || SECRET_VALUE.test(value ?? arg)) secretArgs.push(visibleText(flag));
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
  const words = wanted
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 48);
  // `--path` is a flag of the server, but a variable PATH would control its runtime.
  const base = words !== '' && isRefusedName(words) ? `VALUE_OF_${words}` : words || 'VALUE';
  let name = base;
  for (let number = 2; variables.has(name); number += 1) name = `${base}_${number}`;
  variables.set(name, {
    name,
    description: `In place of ${visibleText(value)} among the arguments.`,
    isRequired,
    isSecret: false,
    placeholder: visibleText(value),
  });
  return `{env:${name}}`;
}

function literal(text: string): string {
  return text.replaceAll('{', '{{');
}
