// `npm run backup -- FOLDER [--ring FOLDER]` copies the database and the attachments of a service, which may keep
// running, into FOLDER/<date and time>/. `npm run restore` reads that folder.
import { parseArgs } from 'node:util';
import { runCommand } from './backup/command.mjs';

const USAGE = `npm run backup -- FOLDER [--ring FOLDER] [--keep NUMBER]
  FOLDER         gets a folder named after the present date and time, with the database and the attachments
  --ring FOLDER  gets a copy of the key ring in the same way; keep it apart from the other one
  --keep NUMBER  removes older backups, and their key rings, beyond this number of complete ones`;

process.exitCode = await runCommand(USAGE, async (settings) => {
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
