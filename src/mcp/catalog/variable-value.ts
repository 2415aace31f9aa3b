import { existsSync } from 'node:fs';
import type { CatalogEntry, EnvironmentVariable } from './catalog-entry.js';
import { fillTemplate, variablesOf } from './placeholders.js';

/** Longer values are rejected (contract §3.3). Linux passes at most 128 KiB in one variable. */
const MAX_VALUE_BYTES = 32 * 1024;

const FORMATS: Record<NonNullable<EnvironmentVariable['format']>, (value: string) => string | null> = {
  string: () => null,
  file: () => null,
  number: (value) => (/^-?\d+(\.\d+)?$/.test(value) ? null : 'must be a decimal number'),
  boolean: (value) => (value === 'true' || value === 'false' ? null : 'must be true or false'),
  filepath: (value) => (value.startsWith('/') ? null : 'must be an absolute path of this host'),
};

/**
 * Returns why a value is not valid for a declared variable of an entry (contract §3.1, §3.3), or null if it is. The
 * message never contains the value, which may be a secret.
 */
export function valueError(
  entry: CatalogEntry,
  variable: EnvironmentVariable,
  value: unknown,
): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES) return `must be at most ${MAX_VALUE_BYTES} bytes long`;
  if (value.includes('\0')) return 'must not contain NUL';
  if (isUsedInHeader(entry, variable.name) && !isHeaderText(value))
    return 'is sent in a header and must not contain line breaks or other control characters';
  return formatError(variable, value);
}

/** Returns why a value does not have the format, choice or pattern that its variable declares, or null if it does. */
export function formatError(variable: EnvironmentVariable, value: string): string | null {
  if (variable.choices) {
    if (!variable.choices.includes(value)) return `must be one of ${variable.choices.join(', ')}`;
  } else if (variable.format) {
    const error = FORMATS[variable.format](value);
    if (error) return error;
  }
  if (variable.pattern && !new RegExp(`^(?:${variable.pattern})$`, 'u').test(value))
    return `must match ${variable.pattern}`;
  return null;
}

/**
 * Returns the text that the server gets for a variable: the given value, or else the default with `{dataDir}` filled in,
 * or else the first of its search paths that is on this host, or else null.
 */
export function effectiveValue(
  variable: EnvironmentVariable,
  values: Readonly<Record<string, string>>,
  dataDir?: string,
): string | null {
  const given = values[variable.name];
  if (given !== undefined) return given;
  if (variable.searchPaths) return variable.searchPaths.find((path) => existsSync(path)) ?? null;
  return variable.default === null ? null : fillTemplate(variable.default, { dataDir }, () => null);
}

/** Returns the names of the required variables without value, default and search paths, in the entry's order. */
export function missingVariables(entry: CatalogEntry, configured: readonly string[]): string[] {
  return entry.environmentVariables
    .filter(
      ({ name, isRequired, default: fallback, searchPaths }) =>
        isRequired && fallback === null && !searchPaths && !configured.includes(name),
    )
    .map(({ name }) => name);
}

function isUsedInHeader(entry: CatalogEntry, name: string): boolean {
  if (entry.transport === 'stdio') return false;
  return Object.values(entry.manifest.headers).some((template) => variablesOf(template).includes(name));
}

/** Returns whether a text is a valid HTTP field value (RFC 9110 §5.5). */
function isHeaderText(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
