import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** The service signs in as its own role, which owns the database and is not a superuser. */
export const roleName = 'awp';
export const databaseName = 'awp';

export interface PostgresCredentials {
  password: string;
  superuserPassword: string;
}

/** Returns null when there are none yet. */
export async function readCredentials(dataDir: string): Promise<PostgresCredentials | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as PostgresCredentials);
}

/** Creates and stores new credentials, with mode 0600 and on the disk before it returns: a cluster without them is lost. */
export async function createCredentials(dataDir: string): Promise<PostgresCredentials> {
  const credentials = { password: secret(), superuserPassword: secret() };
  const draft = `${fileIn(dataDir)}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(credentials, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, fileIn(dataDir));
  return credentials;
}

/** @param at an address, or the folder of a socket, and the port that also names the socket */
export function connectionUrl(at: { host: string; port: number }, credentials: PostgresCredentials): string {
  const url = new URL(
    `postgresql://${roleName}:${credentials.password}@localhost:${at.port}/${databaseName}`,
  );
  if (at.host.startsWith('/')) url.searchParams.set('host', at.host);
  else url.hostname = at.host;
  return url.href;
}

/** Consists of letters, digits, - and _ only: it is used in a URL and in an SQL literal without quoting. */
function secret(): string {
  return randomBytes(32).toString('base64url');
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'postgres-credentials.json');
}
