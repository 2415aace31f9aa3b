import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { databaseName, roleName } from './postgres-credentials.js';
import { asAccount, type PostgresHome } from './postgres-home.js';
import { toolEnvironment } from './tool-environment.js';

/**
 * Creates the service's role and database in single-user mode: they become part of the draft of the cluster, and the
 * password is on no command line.
 */
export async function createRoleAndDatabase(
  home: PostgresHome,
  clusterDir: string,
  password: string,
): Promise<void> {
  const args = [
    '--single',
    '-j',
    '-D',
    clusterDir,
    '-c',
    'exit_on_error=on',
    '-c',
    'log_checkpoints=off',
    'postgres',
  ];
  const child = spawn(...asAccount(home.account, home.binaries.postgres, args), {
    env: toolEnvironment,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  // A server that dies early breaks the pipe. Its exit code reports that, so the error of the write does not matter.
  child.stdin.on('error', () => undefined);
  child.stdin.end(statements(password));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new Error(`The new database could not be set up: ${Buffer.concat(said).toString().trim()}`);
}

/** With -j a statement ends at a semicolon that an empty line follows. */
function statements(password: string): string {
  return [
    `CREATE ROLE ${roleName} LOGIN CREATEDB PASSWORD '${password}'`,
    `CREATE DATABASE ${databaseName} OWNER ${roleName}`,
  ]
    .map((statement) => `${statement};\n\n`)
    .join('');
}
