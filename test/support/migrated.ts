import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const MIGRATE = join(ROOT, 'dist/src/platform/database/migrate.js');

/**
 * Runs the migrations in a process of its own. TypeORM imports them from evaluated code, which V8 keeps for equal text:
 * in a second test file of one Jest worker such code imports into the first file's environment, which is gone.
 */
export async function migrated(url: string): Promise<void> {
  const code = `const { migrate } = await import(process.argv[1]); await migrate(process.argv[2]);`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, MIGRATE, url]);
}

/** Runs the first of them, up to and with the one of this number, as an earlier version has done. */
export async function migratedUntil(url: string, last: string): Promise<void> {
  const code = `
    const [root, url, last] = process.argv.slice(1);
    const { readdirSync } = await import('node:fs');
    const { createRequire } = await import('node:module');
    const { DataSource } = createRequire(root + '/package.json')('typeorm');
    const { dataSourceOptions } = await import(root + '/dist/src/platform/database/data-source-pool-and-limits.js');
    const files = readdirSync(root + '/dist/migrations').filter((name) => name.endsWith('.js'));
    const migrations = files.filter((name) => name.split('-')[0] <= last).map((name) => root + '/dist/migrations/' + name);
    const source = await new DataSource({ ...dataSourceOptions(url, 2), migrations }).initialize();
    await source.runMigrations();
    await source.destroy();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, ROOT, url, last]);
}
