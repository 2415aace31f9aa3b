import { createHash } from 'node:crypto';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { isJsonObject, numberBeyondAll, withNearest } from '../../platform/json/exact-json.js';
import { emptyAsObject, Findings } from './definition-rules-and-warnings.js';

type Loose = Record<string, unknown>;

/** Keywords of JSON Schema whose value is a schema, or a list of schemas. */
const SCHEMAS = new Set(
  'items additionalItems prefixItems contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties contentSchema not if then else allOf anyOf oneOf'.split(
    ' ',
  ),
);
/** Keywords whose value is an object of schemas by name. */
const MAPS = new Set(
  'properties patternProperties $defs definitions dependentSchemas dependencies'.split(' '),
);
/** Further keywords. Null stands for none in them, but not in `default`, `const`, `enum` and `examples`, which are data. */
const PLAIN = new Set(
  '$schema $id $ref $anchor $dynamicRef $dynamicAnchor $comment $vocabulary id type title description format pattern required dependentRequired minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minContains maxContains minProperties maxProperties contentEncoding contentMediaType deprecated readOnly writeOnly'.split(
    ' ',
  ),
);
/** Keywords that clients of model APIs may not send at the root of an input schema. */
const COMBINATORS = ['anyOf', 'oneOf', 'allOf', 'not'];

/**
 * Returns the schema of a tool's arguments in the form that strict clients accept: an object whose `type` is "object",
 * whose properties are objects and whose `required` is a list of names.
 */
export function inputSchemaOf(value: unknown, findings: Findings): Loose | undefined {
  if (value === undefined || value === null) {
    findings.repairs.push('An inputSchema for any object was added, because there is none.');
    return { type: 'object' };
  }
  return rootSchemaOf(value, 'inputSchema', findings);
}

/** The same for the schema of either side, under the path that messages name. */
export function rootSchemaOf(value: unknown, path: string, findings: Findings): Loose | undefined {
  const given = emptyAsObject(value);
  if (!isJsonObject(given)) return findings.error(path, 'must be an object');
  const schema = withoutNulls(given) as Loose;
  // A client in JavaScript reads it as Infinity, and refuses the whole list for that.
  const beyond = numberBeyondAll(schema);
  if (beyond !== null) return findings.error(path, `has the number ${beyond}, which clients cannot read`);
  const typed = typedAsObject(schema, path, findings);
  return typed && withRequired(withProperties(typed, path, findings), path, findings);
}

/** Returns the combinators at the root of a schema. */
export function rootCombinators(schema: Loose): string[] {
  return COMBINATORS.filter((keyword) => Object.hasOwn(schema, keyword));
}

function typedAsObject(schema: Loose, path: string, findings: Findings): Loose | undefined {
  const { type } = schema;
  if (type === 'object') return schema;
  const isObjectOnly = Array.isArray(type) && type.includes('object') && type.every(isObjectOrNull);
  if (type !== undefined && !isObjectOnly) return findings.error(`${path}.type`, 'must be "object"');
  findings.repairs.push(`${path}.type was set to "object".`);
  return type === undefined ? { type: 'object', ...schema } : { ...schema, type: 'object' };
}

const isObjectOrNull = (type: unknown): boolean => type === 'object' || type === 'null';

/** A boolean schema of a property is written as the object that means the same. */
function withProperties(schema: Loose, path: string, findings: Findings): Loose {
  if (schema.properties === undefined) return schema;
  if (!isJsonObject(schema.properties)) {
    findings.error(`${path}.properties`, 'must be an object');
    return schema;
  }
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    if (isJsonObject(property)) return [name, property];
    if (typeof property !== 'boolean') {
      findings.error(`${path}.properties.${name}`, 'must be an object');
      return [name, property];
    }
    findings.repairs.push(`${path}.properties.${name} was written as an object.`);
    return [name, property ? {} : { not: {} }];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Loose };
}

/** `required: true` at the root, as of draft 3, demands the object itself, which is always there. */
function withRequired(schema: Loose, path: string, findings: Findings): Loose {
  const { required, ...rest } = schema;
  if (required === undefined) return schema;
  if (typeof required === 'boolean') {
    findings.repairs.push(`${path}.required was left out, because it is no list.`);
    return rest;
  }
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string'))
    findings.error(`${path}.required`, 'must be a list of names');
  return schema;
}

/** Returns a schema without the keywords whose value is null; a property without a schema of its own takes anything. */
function withoutNulls(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNulls);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword, value]) => value !== null || !isKeyword(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (MAPS.has(keyword)) return [keyword, mapWithoutNulls(value)];
      return [keyword, SCHEMAS.has(keyword) ? withoutNulls(value) : value];
    }),
  );
}

function mapWithoutNulls(value: unknown): unknown {
  const map = emptyAsObject(value);
  if (!isJsonObject(map)) return map;
  return Object.fromEntries(
    Object.entries(map).map(([name, schema]) => [name, withoutNulls(emptyAsObject(schema) ?? {})]),
  );
}

const isKeyword = (name: string): boolean => PLAIN.has(name) || SCHEMAS.has(name) || MAPS.has(name);

/**
 * Returns a schema in which lists that are sets are sorted: `required`, `type` and an `enum` of texts (contract §3.3).
 * Data in it stays as it is.
 */
export function withSortedSets(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withSortedSets);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (DATA.has(keyword)) return [keyword, value];
      return [keyword, SETS.has(keyword) && isTexts(value) ? value.toSorted() : withSortedSets(value)];
    }),
  );
}

const DATA = new Set(['default', 'const', 'examples', 'example']);
const SETS = new Set(['required', 'enum', 'type']);

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Compiling holds up the whole process: a schema of this size takes about 0.1 s. */
const LARGEST_BYTES = 65_536;
/** The same with references written out, as compilers do: 14 KB may become 1.4 MB, which took 7 s, and more than a heap. */
const LARGEST_WRITTEN_OUT = 2 * LARGEST_BYTES;
/** Each pattern is checked for every name, and against all others where further names are refused: 2,000 take 1.8 s. */
const MOST_PATTERNS = 100;
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
  if (lengthWrittenOut(schema, text.length) > LARGEST_WRITTEN_OUT)
    return `it has more than ${LARGEST_WRITTEN_OUT} characters with its references written out`;
  if (patternsIn(schema) > MOST_PATTERNS) return `it has more than ${MOST_PATTERNS} patternProperties`;
  return compiles(schema, text) ? null : 'it does not compile';
}

function hasId(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasId);
  if (!isJsonObject(value)) return false;
  return typeof value.$id === 'string' || Object.values(value).some(hasId);
}

/**
 * Returns the length of a schema in which each reference is replaced by what it refers to, or a greater number. Compilers
 * write out whatever has no reference itself, and compile the rest once for each way to write its address.
 */
function lengthWrittenOut(schema: Loose, length: number): number {
  const targets = new Map<string, { first: number; further: number }>();
  let sum = length;
  for (const reference of referencesIn(schema)) {
    const before = targets.get(reference);
    const target = before ?? targetOf(schema, reference, length);
    targets.set(reference, target);
    sum += before ? target.further : target.first;
    if (sum > LARGEST_WRITTEN_OUT) break;
  }
  return sum;
}

/** An address that is no path in the schema may lead to all of it. */
function targetOf(schema: Loose, reference: string, length: number): { first: number; further: number } {
  const target = reference.startsWith('#/') ? at(schema, reference.slice(2).split('/')) : undefined;
  if (target === undefined) return { first: length, further: reference === '#' ? 0 : length };
  const first = JSON.stringify(target).length;
  return { first, further: referencesIn(target).next().done ? first : 0 };
}

function at(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return at((value as Loose)[name], rest);
}

function* referencesIn(value: unknown): Generator<string, void> {
  if (Array.isArray(value)) for (const item of value) yield* referencesIn(item);
  if (!isJsonObject(value)) return;
  if (typeof value.$ref === 'string') yield value.$ref;
  for (const item of Object.values(value)) yield* referencesIn(item);
}

function patternsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + patternsIn(item), 0);
  if (!isJsonObject(value)) return 0;
  const own = isJsonObject(value.patternProperties) ? Object.keys(value.patternProperties).length : 0;
  return own + patternsIn(Object.values(value));
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
