// `npm run restore -- FOLDER/<date and time> [--ring FILE]` restores a backup of `npm run backup` into an empty data
// folder and an empty database.
import { parseArgs } from 'node:util';
import { runCommand } from './backup/command.mjs';

const USAGE = `npm run restore -- BACKUP [--ring FILE]
  BACKUP       a folder that npm run backup made, such as /backups/2026-11-22T08-15-30Z
  --ring FILE  the key ring that belongs to it; not needed where ENCRYPTION_KEYRING_FILE or ENCRYPTION_KEYS has it`;

process.exitCode = await runCommand(USAGE, async (settings) => {
  const { values, positionals } = parseArgs({
    options: { ring: { type: 'string' } },
    allowPositionals: true,
  });
  if (positionals.length !== 1) return null;
  const { restore } = await import('./restore/restore.mjs');
  return () => restore(settings(), { backup: positionals[0], ringFile: values.ring ?? null });
});
