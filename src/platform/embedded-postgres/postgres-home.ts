import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chooseAccount, type PostgresAccount } from './postgres-account.js';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';

/** The folders, the programs and the account of a server. All paths are absolute. */
export interface PostgresHome {
  dataDir: string;
  clusterDir: string;
  logFile: string;
  binaries: PostgresBinaries;
  account: PostgresAccount;
}

export async function openHome(dataDir: string): Promise<PostgresHome> {
  const folder = resolve(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const clusterDir = join(folder, 'postgres');
  const binaries = await findPostgresBinaries();
  const account = await chooseAccount(binaries.postgres, folder, clusterDir);
  return { dataDir: folder, clusterDir, logFile: join(folder, 'postgres.log'), binaries, account };
}

/** Returns program and arguments as the account runs them. */
export function asAccount(account: PostgresAccount, program: string, args: string[]): [string, string[]] {
  const [command = program, ...rest] = [...account.prefix, program, ...args];
  return [command, rest];
}
