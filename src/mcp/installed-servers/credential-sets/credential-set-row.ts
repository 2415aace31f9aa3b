import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { missingVariables } from '../../catalog/variable-value.js';

/** The set that every server has. Its id is the id of its server. */
export const DEFAULT_SET = 'default';

export const credentialSetStates = [
  'ready',
  'missing_variables',
  'sign_in_needed',
  'error',
  'revoked',
] as const;
export type CredentialSetState = (typeof credentialSetStates)[number];

/** Values of the variables of one server, for the agents whose grant names the set (contract §3.5). */
export interface CredentialSetRow {
  id: string;
  serverId: string;
  name: string;
  /**
   * Why an enabled server cannot be used with the set: a person has to sign in, the server crashed too often, or the set was
   * revoked.
   */
  status: 'ready' | 'sign_in_needed' | 'error' | 'revoked';
  /** Grows with its values, and with the entry and the limits of its server. */
  revision: number;
  /** The names of the variables that have a value. */
  configuredEnv: string[];
  /** The last sign-in at the authorization server of the server, also one that has ended; null where there was none. */
  signIn: SignInFacts | null;
}

/** Who signed in where. */
export interface SignInFacts {
  issuer: string;
  /** The name of the user; null where the user was deleted. */
  by: string | null;
  at: string;
  scope: string | null;
}

/** Returns what an operator has to know about a set. */
export function stateOf(
  { status, configuredEnv }: CredentialSetRow,
  entry: CatalogEntry,
): CredentialSetState {
  if (status !== 'ready') return status;
  return missingVariables(entry, configuredEnv).length > 0 ? 'missing_variables' : 'ready';
}
