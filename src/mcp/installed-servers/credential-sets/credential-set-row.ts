import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { missingVariables } from '../../catalog/variable-value.js';

/** The set that every server has. Its id is the id of its server. */
export const DEFAULT_SET = 'default';

export const credentialSetStates = ['ready', 'missing_variables', 'error', 'revoked'] as const;
export type CredentialSetState = (typeof credentialSetStates)[number];

/** Values of the variables of one server, for the agents whose grant names the set (contract §3.5). */
export interface CredentialSetRow {
  id: string;
  serverId: string;
  name: string;
  /** Why an enabled server cannot be used with the set: it crashed too often, or the set was revoked. */
  status: 'ready' | 'error' | 'revoked';
  /** Grows with its values, and with the entry and the limits of its server. */
  revision: number;
  /** The names of the variables that have a value. */
  configuredEnv: string[];
}

/** Returns what an operator has to know about a set. */
export function stateOf(
  { status, configuredEnv }: CredentialSetRow,
  entry: CatalogEntry,
): CredentialSetState {
  if (status !== 'ready') return status;
  return missingVariables(entry, configuredEnv).length > 0 ? 'missing_variables' : 'ready';
}
