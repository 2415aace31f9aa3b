// `npm run backup -- FOLDER [--ring FOLDER]` copies the database and the attachments of a service, which may keep
// running, into FOLDER/<date and time>/. `npm run restore` reads that folder.
import { parseArgs } from 'node:util';
import { runCommand } from './backup/command.mjs';

const USAGE = `npm run backup -- FOLDER [--ring FOLDER]
  FOLDER         gets a folder named after the present date and time, with the database and the attachments
  --ring FOLDER  gets a copy of the key ring in the same way; keep it apart from the other one`;

process.exitCode = await runCommand(USAGE, async (settings) => {
  const { values, positionals } = parseArgs({
    options: { ring: { type: 'string' } },
    allowPositionals: true,
  });
  if (positionals.length !== 1) return null;
  const { backUp } = await import('./backup/back-up.mjs');
  return () => backUp(settings(), { folder: positionals[0], ringFolder: values.ring ?? null });
});
