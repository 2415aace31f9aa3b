import { mkdir } from 'node:fs/promises';
import { ValidationFailed } from '../../../platform/http/problem/problem.js';
import { agentPathOf } from '../../catalog/agent-path.js';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { withoutCredentialSet } from '../../processes/server-scope.js';
import { hostPathError } from '../../catalog/host-path.js';

/**
 * Fills in the paths of one scope and creates the folders that they need (contract §3.1). All verifications share one
 * folder, which stays empty unless a server writes at its start. The folder belongs to the agent, whichever credentials it
 * uses.
 * @returns the values of all variables
 * @throws {ValidationFailed} when a folder cannot be created, or lies in the data folder by a symbolic link
 */
export async function withAgentFolders(
  entry: CatalogEntry,
  values: Readonly<Record<string, string>>,
  scope: string,
  dataFolder: string,
): Promise<Record<string, string>> {
  const filled = { ...values };
  const name = scope.startsWith('verify-') ? 'verification' : withoutCredentialSet(scope);
  for (const { name: variable, format } of entry.environmentVariables) {
    const own = format === 'filepath' ? agentPathOf(values[variable] ?? '', name) : null;
    if (!own) continue;
    const error = (await hostPathError(own.path, dataFolder)) ?? (await creationError(own.folder));
    if (error !== null) throw new ValidationFailed([{ path: `envValues.${variable}`, message: error }]);
    filled[variable] = own.path;
  }
  return filled;
}

async function creationError(folder: string): Promise<string | null> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return null;
  } catch (error) {
    // The caller gets it as an error of the value that names the folder.
    return `has a folder of the agent that cannot be created (${(error as NodeJS.ErrnoException).code})`;
  }
}
