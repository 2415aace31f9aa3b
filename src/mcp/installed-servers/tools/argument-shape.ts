import { isNumber } from '../../../platform/json/exact-number.js';
import { storableText } from '../storable-text.js';

/** The names and JSON types of a call's arguments, never a value (contract §8). */
export type ArgumentShape = Record<string, string>;

/** Further names are counted, not listed. */
const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 100;

export function shapeOf(given: Readonly<Record<string, unknown>>): ArgumentShape {
  const names = Object.keys(given);
  const listed = names
    .slice(0, MAX_NAMES)
    .map((name) => [storableText(name.slice(0, MAX_NAME_LENGTH)), typeOf(given[name])]);
  return {
    ...Object.fromEntries(listed),
    ...(names.length > MAX_NAMES && { '…': `${names.length - MAX_NAMES} more` }),
  };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (isNumber(value)) return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}
