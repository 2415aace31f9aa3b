// `npm run restore -- FOLDER/<date and time> [--ring FILE]` restores a backup of `npm run backup` into an empty data
// folder and an empty database.
import { parseArgs } from 'node:util';
import { runCommand } from './backup/command.mjs';
import { usageOf } from './commands.mjs';

process.exitCode = await runCommand(usageOf('restore'), async (settings) => {
  const { values, positionals } = parseArgs({
    options: { ring: { type: 'string' } },
    allowPositionals: true,
  });
  if (positionals.length !== 1) return null;
  const { restore } = await import('./restore/restore.mjs');
  return () => restore(settings(), { backup: positionals[0], ringFile: values.ring ?? null });
});
