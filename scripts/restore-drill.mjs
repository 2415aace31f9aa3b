// `npm run restore:drill -- FOLDER [--ring FOLDER]` restores the newest backup in FOLDER into a temporary folder, opens every sealed
// value in it, and removes it again. The service may run; nothing of it is touched.
import { parseArgs } from 'node:util';
import { runCommand } from './backup/command.mjs';
import { usageOf } from './commands.mjs';

process.exitCode = await runCommand(usageOf('restore-drill'), async (settings) => {
  const { values, positionals } = parseArgs({
    options: { ring: { type: 'string' }, work: { type: 'string' } },
    allowPositionals: true,
  });
  if (positionals.length !== 1) return null;
  const { drill } = await import('./restore/drill.mjs');
  return () =>
    drill(settings(), { folder: positionals[0], ringFolder: values.ring ?? null, work: values.work ?? null });
});
