import type { CatalogEntry, EnvironmentVariable } from './catalog-entry.js';
import { fillTemplate, variablesOf } from './placeholders.js';

/** Spec §3.3: a longer value is refused. Linux passes at most 128 KiB in one variable. */
const maxValueBytes = 32 * 1024;

/**
 * Why a value does not fit a declared variable of an entry (spec §3.1, §3.3), or null when it does. The
 * sentence never holds the value, which may be a secret.
 */
export function valueFault(
  entry: CatalogEntry,
  variable: EnvironmentVariable,
  value: unknown,
): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  if (Buffer.byteLength(value) > maxValueBytes) return `must be at most ${maxValueBytes} bytes long`;
  if (value.includes('\0')) return 'must not contain NUL';
  if (standsInHeader(entry, variable.name) && !isHeaderText(value))
    return 'is sent in a header and must not contain line breaks or other control characters';
  return formatFault(variable, value);
}

/** Whether a value has the format, choice and pattern that its variable declares. */
export function formatFault(variable: EnvironmentVariable, value: string): string | null {
  if (variable.choices) {
    if (!variable.choices.includes(value)) return `must be one of ${variable.choices.join(', ')}`;
  } else if (variable.format) {
    const fault = formats[variable.format](value);
    if (fault) return fault;
  }
  if (variable.pattern && !new RegExp(`^(?:${variable.pattern})$`, 'u').test(value))
    return `must match ${variable.pattern}`;
  return null;
}

/**
 * The text that reaches the server for a variable: the given value, else the default with `{dataDir}` filled
 * in, else null.
 */
export function effectiveValue(
  variable: EnvironmentVariable,
  values: Readonly<Record<string, string>>,
  dataDir?: string,
): string | null {
  const given = values[variable.name];
  if (given !== undefined) return given;
  return variable.default === null ? null : fillTemplate(variable.default, { dataDir }, () => null);
}

/** Names of the required variables that have neither a value nor a default, in the entry's order. */
export function missingVariables(entry: CatalogEntry, configured: readonly string[]): string[] {
  return entry.environmentVariables
    .filter(
      ({ name, isRequired, default: fallback }) =>
        isRequired && fallback === null && !configured.includes(name),
    )
    .map(({ name }) => name);
}

const formats: Record<NonNullable<EnvironmentVariable['format']>, (value: string) => string | null> = {
  string: () => null,
  file: () => null,
  number: (value) => (/^-?\d+(\.\d+)?$/.test(value) ? null : 'must be a decimal number'),
  boolean: (value) => (value === 'true' || value === 'false' ? null : 'must be true or false'),
  filepath: (value) => (value.startsWith('/') ? null : 'must be an absolute path of this host'),
};

function standsInHeader(entry: CatalogEntry, name: string): boolean {
  if (entry.transport === 'stdio') return false;
  return Object.values(entry.manifest.headers).some((template) => variablesOf(template).includes(name));
}

/** What an HTTP field value may hold (RFC 9110 §5.5). */
function isHeaderText(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
