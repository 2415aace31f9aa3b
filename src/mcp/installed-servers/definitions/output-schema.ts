import { createHash } from 'node:crypto';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { withNearest } from '../../../platform/json/exact-json.js';
import { Findings } from './member-rules.js';
import { rootSchemaOf } from './json-schema.js';
import { isJsonObject } from '../../../platform/json/exact-number.js';

type Loose = Record<string, unknown>;

/** Compiling holds up the whole process: a schema of this size takes about 0.1 s. */
const LARGEST_BYTES = 65_536;
/** What a compiler keeps of each schema is never freed, so a new one is made after so many. */
const MOST_COMPILED = 200;
/** A server is listed at each start, and its schemas seldom change. */
const MOST_KNOWN = 5_000;

const known = new Map<string, boolean>();
let compiler = newCompiler();
let compiled = 0;

/**
 * Returns the schema of a tool's results where strict clients accept it. They refuse the whole list of tools for one that
 * does not compile, and a result is valid without it, so any other is left out.
 */
export function outputSchemaOf(value: unknown, findings: Findings): Loose | undefined {
  const own = new Findings();
  const schema = value === null ? undefined : rootSchemaOf(value, 'outputSchema', own);
  if (schema === undefined && own.errors.length === 0) return undefined;
  const reason = own.errors[0] ?? reasonAgainst(schema!);
  if (reason === null) {
    findings.repairs.push(...own.repairs);
    return schema;
  }
  findings.repairs.push(`outputSchema was left out, because ${reason}.`);
  return undefined;
}

/**
 * A client compiles the schemas of all servers together: those with an `$id` would replace or contradict each other, so
 * that one server could void the list of another.
 */
function reasonAgainst(schema: Loose): string | null {
  if (hasId(schema)) return 'it has an $id, which may be that of another schema';
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) > LARGEST_BYTES) return `it has more than ${LARGEST_BYTES} bytes`;
  return compiles(schema, text) ? null : 'it does not compile';
}

function hasId(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasId);
  if (!isJsonObject(value)) return false;
  return typeof value.$id === 'string' || Object.values(value).some(hasId);
}

function compiles(schema: Loose, text: string): boolean {
  const key = createHash('sha256').update(text).digest('base64');
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const now = compilesNow(schema);
  known.set(key, now);
  return now;
}

function compilesNow(schema: Loose): boolean {
  if (compiled >= MOST_COMPILED) [compiler, compiled] = [newCompiler(), 0];
  compiled += 1;
  try {
    compiler.compile(withNearest(schema));
    return true;
  } catch {
    // The message repeats the schema; that it does not compile says enough.
    return false;
  }
}

/** As the released clients make it, but without the optimization of the code, which is never run. */
function newCompiler(): Ajv {
  const ajv = new Ajv({
    strict: false,
    validateFormats: true,
    validateSchema: false,
    allErrors: true,
    logger: false,
    code: { optimize: false },
  });
  formats.default(ajv);
  return ajv;
}
