import { storableText } from '../storable-text.js';

/** What a record of a call tells of its arguments: names and kinds, never a value (spec §8). */
export type ArgumentShape = Record<string, string>;

/** Most names that are told; further ones are counted. */
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 100;

export function shapeOf(given: Readonly<Record<string, unknown>>): ArgumentShape {
  const names = Object.keys(given);
  const told = names
    .slice(0, MAX_NAMES)
    .map((name) => [storableText(name.slice(0, MAX_NAME_LENGTH)), kindOf(given[name])]);
  return {
    ...Object.fromEntries(told),
    ...(names.length > MAX_NAMES && { '…': `${names.length - MAX_NAMES} more` }),
  };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
