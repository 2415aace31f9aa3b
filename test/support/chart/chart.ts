import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { dump, load, loadAll } from 'js-yaml';
import { isTrue, Templates, type Functions, type Value } from './go-template.js';

export type Values = Record<string, Value>;

/** An object of Kubernetes. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [part: string]: unknown;
}

const FOLDER = resolve(import.meta.dirname, '../../../deploy/helm/agent-work-platform');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const RELEASE = { Name: 'awp', Namespace: 'agents', Service: 'Helm' };

export const defaults = load(read('values.yaml')) as Values;
/** Ajv knows the same keywords as the library of Helm. */
const ajv = new Ajv({ allErrors: true, strict: false });
const isValid = ajv.compile(JSON.parse(read('values.schema.json')) as object);

/**
 * Renders the chart as `helm template` does, for values beside the defaults.
 * @throws {Error} as the schema or a template refuses the values
 */
export function rendered(given: Values): Manifest[] {
  const values = merged(defaults, given);
  if (!isValid(values)) throw new Error(ajv.errorsText(isValid.errors));
  const about = load(read('Chart.yaml')) as Record<string, Value>;
  const dot = {
    Values: values,
    Release: RELEASE,
    Chart: { Name: about['name'], Version: about['version'], AppVersion: about['appVersion'] },
    Files: { Get: (name: string) => (existsSync(join(FOLDER, name)) ? read(name) : '') },
  };
  const templates: Templates = new Templates({
    ...functions,
    include: (name: string, data: Value) => templates.include(name, data),
  });
  const names = (readdirSync(join(FOLDER, 'templates'), { recursive: true }) as string[]).toSorted();
  const files = names
    .filter((name) => /\.(yaml|tpl)$/.test(name))
    .map((name) => ({ name, nodes: templates.read(name, read(`templates/${name}`)) }));
  return files
    .filter(({ name }) => name.endsWith('.yaml'))
    .flatMap(({ name, nodes }) => manifestsIn(name, templates.render(nodes, dot)));
}

function manifestsIn(file: string, text: string): Manifest[] {
  try {
    return (loadAll(text) as (Manifest | null)[]).filter((one) => one !== null && one !== undefined);
  } catch (error) {
    throw new Error(`${file} is no YAML: ${String(error)}\n${text}`, { cause: error });
  }
}

/** Maps are merged, and everything else is replaced. */
function merged(base: Values, given: Values): Values {
  const isMap = (value: Value): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const one = (before: Value, after: Value) =>
    isMap(before) && isMap(after) ? merged(before, after) : after;
  return {
    ...base,
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, one(base[name], value)])),
  };
}

/** Go writes maps in the order of their keys. */
function sorted(value: Value): Value {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}

const refuse = (text: string): never => {
  throw new Error(text);
};
const indented = (spaces: number, text: string) => text.replaceAll(/^/gm, ' '.repeat(spaces));

/** The functions of Go and Sprig that the chart uses, with the operand of a pipeline last. */
const functions: Functions = {
  and: (...given: Value[]) => given.find((one) => !isTrue(one)) ?? given.at(-1),
  or: (...given: Value[]) => given.find(isTrue) ?? given.at(-1),
  not: (value: Value) => !isTrue(value),
  eq: (one: Value, other: Value) => one === other,
  ne: (one: Value, other: Value) => one !== other,
  gt: (one: number, other: number) => one > other,
  len: (value: string | Value[]) => value.length,
  int: Number,
  default: (preset: Value, value: Value) => (isTrue(value) ? value : preset),
  ternary: (yes: Value, no: Value, condition: boolean) => (condition ? yes : no),
  required: (text: string, value: Value) => (value === '' || value === undefined ? refuse(text) : value),
  fail: refuse,
  dict: (...given: Value[]) =>
    Object.fromEntries(given.flatMap((key, at) => (at % 2 === 0 ? [[key, given[at + 1]]] : []))),
  set: (map: Values, key: string, value: Value) => Object.assign(map, { [key]: value }),
  merge: (map: Values, other: Values) => Object.assign(map, { ...other, ...map }),
  list: (...given: Value[]) => given,
  append: (items: Value[], item: Value) => [...items, item],
  concat: (...lists: Value[][]) => lists.flat(),
  compact: (items: Value[]) => items.filter(isTrue),
  has: (item: Value, items: Value[]) => items.includes(item),
  join: (between: string, items: Value[]) => items.join(between),
  toString: String,
  quote: (value: Value) => JSON.stringify(String(value)),
  printf: (form: string, ...given: Value[]) =>
    form.replaceAll(/%([sq])/g, (_, verb) =>
      verb === 'q' ? JSON.stringify(given.shift()) : String(given.shift()),
    ),
  contains: (part: string, text: string) => text.includes(part),
  replace: (part: string, by: string, text: string) => text.replaceAll(part, by),
  regexReplaceAll: (form: string, text: string, by: string) =>
    text.replaceAll(new RegExp(form.replace(/^\(\?m\)/, ''), form.startsWith('(?m)') ? 'gm' : 'g'), by),
  trim: (text: string) => text.trim(),
  trunc: (length: number, text: string) => text.slice(0, length),
  trimSuffix: (end: string, text: string) => (text.endsWith(end) ? text.slice(0, -end.length) : text),
  upper: (text: string) => text.toUpperCase(),
  nindent: (spaces: number, text: string) => `\n${indented(spaces, text)}`,
  toYaml: (value: Value) => dump(sorted(value), { lineWidth: -1 }).trimEnd(),
  toJson: (value: Value) => JSON.stringify(sorted(value)),
  toPrettyJson: (value: Value) => JSON.stringify(sorted(value), null, 2),
  sha256sum: (text: string) => createHash('sha256').update(text).digest('hex'),
};
