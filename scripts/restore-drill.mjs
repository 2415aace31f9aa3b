// `npm run restore:drill -- FOLDER [--ring FOLDER]` restores the newest backup in FOLDER into a temporary folder, opens every sealed
// value in it, and removes it again. The service may run; nothing of it is touched.
import { parseArgs } from 'node:util';
import { runCommand } from './backup/command.mjs';

const USAGE = `npm run restore:drill -- FOLDER [--ring FOLDER] [--work FOLDER]
  FOLDER         where npm run backup puts its backups; the newest one is restored on trial
  --ring FOLDER  where npm run backup puts the copies of the key ring; without it that of the service must fit
  --work FOLDER  where the temporary data folder is made, in place of that of the system`;

process.exitCode = await runCommand(USAGE, async (settings) => {
  const { values, positionals } = parseArgs({
    options: { ring: { type: 'string' }, work: { type: 'string' } },
    allowPositionals: true,
  });
  if (positionals.length !== 1) return null;
  const { drill } = await import('./restore/drill.mjs');
  return () =>
    drill(settings(), { folder: positionals[0], ringFolder: values.ring ?? null, work: values.work ?? null });
});
