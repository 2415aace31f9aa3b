// `npm run backup -- FOLDER [--ring FOLDER]` copies the database and the attachments of a service, which may keep
// running, into FOLDER/<date and time>/. `npm run restore` reads that folder.
import { parseArgs } from 'node:util';
import { runCommand } from './backup/command.mjs';
import { usageOf } from './commands.mjs';

process.exitCode = await runCommand(usageOf('backup'), async (settings) => {
  const { values, positionals } = parseArgs({
    options: { ring: { type: 'string' }, keep: { type: 'string' } },
    allowPositionals: true,
  });
  const keep = values.keep === undefined ? null : Number(values.keep);
  if (positionals.length !== 1 || (keep !== null && !(Number.isInteger(keep) && keep > 0))) return null;
  const { backUp } = await import('./backup/back-up.mjs');
  const { removeOld } = await import('./backup/old-backups.mjs');
  const place = { folder: positionals[0], ringFolder: values.ring ?? null };
  return async () => {
    await backUp(settings(), place);
    if (keep !== null) await removeOld(place, keep);
  };
});
