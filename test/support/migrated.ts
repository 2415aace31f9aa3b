import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const MIGRATE = resolve(import.meta.dirname, '../../dist/src/platform/database/migrate.js');

/**
 * Runs the migrations in a process of its own. TypeORM imports them from evaluated code, which V8 keeps for equal text:
 * in a second test file of one Jest worker such code imports into the first file's environment, which is gone.
 */
export async function migrated(url: string): Promise<void> {
  const code = `const { migrate } = await import(process.argv[1]); await migrate(process.argv[2]);`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, MIGRATE, url]);
}
