import type { FieldError } from '../../platform/http/problem.js';
import { textError } from '../../platform/http/text-and-instant-rules.js';
import type { CatalogEntry, EnvironmentVariable } from '../catalog/catalog-entry.js';
import {
  agentPathError,
  hostPathError,
  lastingPart,
  missingPathError,
  missingVariables,
  valueError,
} from '../catalog/variable-value.js';

/** The unchecked `envValues` of a request, by name of the variable. */
export type EnvValues = Readonly<Record<string, unknown>>;

/** The changes that valid `envValues` ask for. */
export interface CredentialChanges {
  set: Record<string, string>;
  removed: string[];
}

/** The entries that may declare a variable: the installed entry first, then the catalogue's newer one. */
export type DeclaringEntries = readonly CatalogEntry[];

/**
 * Returns every error of `envValues`, each at the path `envValues.NAME` and never with a value (contract §3.3).
 * @param dataFolder the service's data folder, which no path may contain or lie in
 */
export async function changeErrors(
  entries: DeclaringEntries,
  envValues: EnvValues,
  dataFolder: string,
): Promise<FieldError[]> {
  const rows = await Promise.all(
    Object.entries(envValues).map(async ([name, value]) => {
      const message = await errorOf(entries, name, value, dataFolder);
      return message === null ? [] : [{ path: `envValues.${name}`, message }];
    }),
  );
  return rows.flat();
}

/** Returns an error for every required variable that the `envValues` of a new server leave out. */
export function omissionErrors(entry: CatalogEntry, envValues: EnvValues): FieldError[] {
  const missing = missingVariables(entry, Object.keys(envValues));
  return missing.map((name) => ({ path: `envValues.${name}`, message: 'is required' }));
}

/**
 * Returns every error of values that a request gives: those of `changeErrors`, and paths of this host (format filepath)
 * that are not there. A path that goes missing later is left to the server, which reports it itself.
 */
export async function givenValueErrors(
  entries: DeclaringEntries,
  envValues: EnvValues,
  dataFolder: string,
): Promise<FieldError[]> {
  const errors = await changeErrors(entries, envValues, dataFolder);
  const missing = await Promise.all(
    Object.entries(envValues).map(async ([name, value]) => {
      const path = `envValues.${name}`;
      const isPath = declarationOf(entries, name)?.variable.format === 'filepath';
      if (!isPath || typeof value !== 'string' || errors.some((error) => error.path === path)) return [];
      const message = await missingPathError(lastingPart(value));
      return message === null ? [] : [{ path, message }];
    }),
  );
  return [...errors, ...missing.flat()];
}

/** Returns the changes that valid `envValues` ask for. */
export function changesOf(envValues: EnvValues): CredentialChanges {
  const given = Object.entries(envValues);
  return {
    set: Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
    removed: given.filter(([, value]) => value === null).map(([name]) => name),
  };
}

/** Returns the values that must never be shown: all but those that an entry declares as not secret. */
export function secretsAmong(entries: DeclaringEntries, values: Readonly<Record<string, string>>): string[] {
  const isOpen = (name: string): boolean => {
    const declared = declarationOf(entries, name);
    return declared !== null && !declared.variable.isSecret && declared.variable.format !== 'file';
  };
  return Object.entries(values)
    .filter(([name]) => !isOpen(name))
    .map(([, value]) => value);
}

async function errorOf(
  entries: DeclaringEntries,
  name: string,
  value: unknown,
  dataFolder: string,
): Promise<string | null> {
  const declared = declarationOf(entries, name);
  if (!declared) return 'is not a variable of this server';
  const { entry, variable } = declared;
  if (value === null) return variable.isRequired ? 'is required and must not be null' : null;
  const error = (typeof value === 'string' ? textError(value) : null) ?? valueError(entry, variable, value);
  if (error !== null || variable.format !== 'filepath' || typeof value !== 'string') return error;
  return agentPathError(entry, value) ?? hostPathError(value, dataFolder);
}

function declarationOf(
  entries: DeclaringEntries,
  name: string,
): { entry: CatalogEntry; variable: EnvironmentVariable } | null {
  for (const entry of entries) {
    const variable = entry.environmentVariables.find((candidate) => candidate.name === name);
    if (variable) return { entry, variable };
  }
  return null;
}
