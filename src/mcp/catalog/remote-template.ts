import { ValidationFailed } from '../../platform/http/problem/problem.js';
import type { RemoteEntry } from './catalog-entry.js';
import { MissingVariables } from './catalog.errors.js';
import { fillTemplate, variablesOf } from './placeholders.js';
import { effectiveValue, missingVariables } from './variable-value.js';

/** The address of an http or sse server and the headers of its requests. */
export interface Remote {
  url: string;
  headers: Record<string, string>;
}

/**
 * Fills in an entry's address and headers. Values are percent-encoded in the address and unchanged in a header; a header
 * whose optional variable has no value is left out (catalog-entry.schema.json).
 * @throws {MissingVariables} when a required variable has no value
 * @throws {ValidationFailed} at `envValues.NAME` when the values do not make a valid address
 */
export function remoteOf(entry: RemoteEntry, values: Readonly<Record<string, string>>): Remote {
  const missing = missingVariables(entry, Object.keys(values));
  if (missing.length > 0) throw new MissingVariables(missing);

  const texts = new Map(
    entry.environmentVariables.map((variable) => [variable.name, effectiveValue(variable, values)]),
  );
  const headers = Object.entries(entry.manifest.headers).flatMap(([name, template]) => {
    const text = fillTemplate(template, {}, (variable) => texts.get(variable) ?? null);
    return text === null ? [] : [[name, text]];
  });
  return { url: addressOf(entry.manifest.url, texts), headers: Object.fromEntries(headers) };
}

function addressOf(template: string, texts: ReadonlyMap<string, string | null>): string {
  const used = variablesOf(template);
  const encoded = (name: string) => encodeURIComponent(texts.get(name) ?? '');
  const address = fillTemplate(template, {}, encoded) ?? '';
  // '.' and '..' survive percent-encoding and would lead to a parent path.
  const climbs = used.some((name) => /^\.{1,2}$/.test(encoded(name)));
  if (!climbs && URL.canParse(address)) return address;
  throw new ValidationFailed(
    used.map((name) => ({ path: `envValues.${name}`, message: 'does not make a valid address' })),
  );
}
