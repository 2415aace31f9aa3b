import { parse, type ParseError } from 'jsonc-parser';

/** A start command as clients read it from their `mcpServers`. */
export interface Example {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/**
 * Everybody may publish a README, and the service reads it between other requests. So it is read line by line, with
 * blanks as one, and every expression sees a short text: none may take time in the square of what a stranger wrote.
 */
const MOST_BYTES = 256 * 1024;
const MOST_LINE = 2_000;
const MOST_BLOCK = 20_000;
const MOST_DEPTH = 10;
/** In characters, of an example's own values. */
export const MOST_VALUE = 200;

/** Returns the texts between fences, and the lines outside of them. */
export function partsOf(readme: string): { blocks: string[]; lines: string[] } {
  const blocks: string[] = [];
  const lines: string[] = [];
  let fence: string | null = null;
  let block: string[] = [];
  for (const line of readme.slice(0, MOST_BYTES).split('\n')) {
    const start = line.trim().slice(0, 3);
    const isFence = start === '```' || start === '~~~';
    if (fence === null && isFence) [fence, block] = [start, []];
    else if (fence !== null && start === fence) {
      blocks.push(block.join('\n').slice(0, MOST_BLOCK));
      fence = null;
    } else if (fence === null) lines.push(...linesOf(line));
    else block.push(line);
  }
  return { blocks, lines };
}

/** Returns the lines of a text that are worth reading, with blanks as one. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .filter(({ length }) => length <= MOST_LINE)
    .map((line) => line.replace(/\s+/g, ' ').trim());
}

/** Parses JSON with comments and trailing commas, also when the outer braces were left out; null where it is no JSON. */
function parsedOrNull(block: string): unknown {
  for (const text of [block, `{${block}}`]) {
    const errors: ParseError[] = [];
    try {
      const value: unknown = parse(text, errors, { allowTrailingComma: true });
      if (errors.length === 0) return value;
    } catch {
      // It nests deeper than the parser can go, and is no configuration.
      return null;
    }
  }
  return null;
}

/** Returns the start commands of a block, wherever they stand in it. */
export function examplesIn(block: string): Example[] {
  return examplesAmong(parsedOrNull(block));
}

function examplesAmong(value: unknown, depth = 0): Example[] {
  if (typeof value !== 'object' || value === null || depth > MOST_DEPTH) return [];
  const { command, args = [], env = {} } = value as Record<string, unknown>;
  if (typeof command !== 'string' || !Array.isArray(args))
    return Object.values(value).flatMap((member) => examplesAmong(member, depth + 1));
  const texts = args.filter((arg) => typeof arg === 'string').map((arg) => arg.slice(0, MOST_VALUE));
  const given = Object.entries(typeof env === 'object' && env !== null ? env : {});
  const plain = given.filter(([, text]) => ['string', 'number', 'boolean'].includes(typeof text));
  return [
    { command, args: texts, env: Object.fromEntries(plain.map(([name, text]) => [name, String(text)])) },
  ];
}

/** Returns the arguments behind the package's name, or behind its own program; null if something else is started. */
export function ownArguments(
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
