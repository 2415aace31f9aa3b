import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { dropDatabase, urlOf, withAdmin } from './postgres.mjs';

export const RESTORE = resolve(import.meta.dirname, '../../scripts/restore.mjs');
export const BACKUP = resolve(import.meta.dirname, '../../scripts/backup.mjs');
export const DRILL = resolve(import.meta.dirname, '../../scripts/restore-drill.mjs');

/** An empty database beside those of the tests. */
export async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<unknown> }> {
  const name = `awp_restored_${randomBytes(6).toString('hex')}`;
  await withAdmin((client) => client.query(`CREATE DATABASE "${name}"`));
  return {
    url: urlOf(name),
    drop: () => dropDatabase(name),
  };
}

/** Runs a script with only these settings. */
export function run(script: string, args: string[], settings: Record<string, string>) {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings };
  return new Promise<{ code: number; said: string }>((done) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    );
  });
}
