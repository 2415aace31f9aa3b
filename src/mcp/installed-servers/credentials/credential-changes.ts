import type { Fault } from '../../../platform/http/problem.js';
import { textFault } from '../../../platform/http/text-rules.js';
import type { CatalogEntry, EnvironmentVariable } from '../../catalog/catalog-entry.js';
import { hostPathFault } from '../../catalog/host-path.js';
import { missingVariables, valueFault } from '../../catalog/variable-value.js';

/** `envValues` of a request, by name of the variable; what is in it has not been looked at yet. */
export type EnvValues = Readonly<Record<string, unknown>>;

/** What `envValues` asks for, once nothing is wrong with it. */
export interface CredentialChanges {
  set: Record<string, string>;
  removed: string[];
}

/** Where a variable is looked up: the installed entry first, then the catalogue's newer one. */
export type DeclaringEntries = readonly CatalogEntry[];

/**
 * Every fault of `envValues` at once, each on `envValues.NAME`, never with a value (spec §3.3).
 * @param dataFolder the service's, which no path of this host may meet
 */
export async function faultsOfChanges(
  entries: DeclaringEntries,
  envValues: EnvValues,
  dataFolder: string,
): Promise<Fault[]> {
  const rows = await Promise.all(
    Object.entries(envValues).map(async ([name, value]) => {
      const message = await faultOf(entries, name, value, dataFolder);
      return message === null ? [] : [{ path: `envValues.${name}`, message }];
    }),
  );
  return rows.flat();
}

/** Required variables that `envValues` does not speak of, for a server that has none yet. */
export function faultsOfOmissions(entry: CatalogEntry, envValues: EnvValues): Fault[] {
  const missing = missingVariables(entry, Object.keys(envValues));
  return missing.map((name) => ({ path: `envValues.${name}`, message: 'is required' }));
}

/** What sound `envValues` ask for. */
export function changesOf(envValues: EnvValues): CredentialChanges {
  const given = Object.entries(envValues);
  return {
    set: Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
    removed: given.filter(([, value]) => value === null).map(([name]) => name),
  };
}

/** The values that must never be shown: all but those that an entry says are no secret. */
export function secretsAmong(entries: DeclaringEntries, values: Readonly<Record<string, string>>): string[] {
  const isOpen = (name: string): boolean => {
    const declared = declarationOf(entries, name);
    return declared !== null && !declared.variable.isSecret && declared.variable.format !== 'file';
  };
  return Object.entries(values)
    .filter(([name]) => !isOpen(name))
    .map(([, value]) => value);
}

async function faultOf(
  entries: DeclaringEntries,
  name: string,
  value: unknown,
  dataFolder: string,
): Promise<string | null> {
  const declared = declarationOf(entries, name);
  if (!declared) return 'is no variable of this server';
  const { entry, variable } = declared;
  if (value === null) return variable.isRequired ? 'is required and must not be null' : null;
  const fault = (typeof value === 'string' ? textFault(value) : null) ?? valueFault(entry, variable, value);
  if (fault !== null || variable.format !== 'filepath' || typeof value !== 'string') return fault;
  return hostPathFault(value, dataFolder);
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
