import { randomBytes } from 'node:crypto';
import { commandNamed, runHosted } from './commands.js';
import { dropDatabase, urlOf, withAdmin } from './postgres.mjs';

export const RESTORE = commandNamed('restore');
export const BACKUP = commandNamed('backup');
export const DRILL = commandNamed('restore-drill');

/** An empty database beside those of the tests. */
export async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<unknown> }> {
  const name = `awp_restored_${randomBytes(6).toString('hex')}`;
  await withAdmin((client) => client.query(`CREATE DATABASE "${name}"`));
  return {
    url: urlOf(name),
    drop: () => dropDatabase(name),
  };
}

/** Runs a command with only these settings, and returns all that it printed. */
export async function run(script: string, args: string[], settings: Record<string, string>) {
  const { code, stdout, stderr } = await runHosted(script, args, settings);
  return { code, said: stdout + stderr };
}
