// `npm run archive -- YYYY-MM` moves a month of the tables that grow into the attachment store. The service may run.
import { parseArgs } from 'node:util';
import { runCommand } from './backup/command.mjs';

const USAGE = `npm run archive -- [YYYY-MM] [--keep] [--dry-run]
  YYYY-MM    archives this month: writes it to the attachment store, reads it back, and drops it from the database where
             its retention has passed or is not set
             without a month: archives every month whose retention has passed
  --keep     drops nothing
  --dry-run  shows what would be done
npm run archive -- --list               shows the months that are archived
npm run archive -- --verify [YYYY-MM]   reads the archive and compares it with its checksums
npm run archive -- --restore YYYY-MM    puts the rows of an archived month back`;

const OPTIONS = Object.fromEntries(
  ['keep', 'dry-run', 'list', 'verify', 'restore'].map((name) => [name, { type: 'boolean', default: false }]),
);

process.exitCode = await runCommand(USAGE, async (settings) => {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const { isMonth } = await import('../dist/src/platform/partitions/partitions.js');
  const [month = null] = positionals;
  const modes = ['list', 'verify', 'restore'].filter((name) => values[name]);
  if (positionals.length > 1 || modes.length > 1 || (month !== null && !isMonth(month))) return null;
  if ((values.restore && month === null) || (values.list && month !== null)) return null;
  const { runArchive } = await import('./archive/run-archive.mjs');
  return () =>
    runArchive(settings(), {
      mode: modes[0] ?? 'archive',
      month,
      keep: values.keep,
      dryRun: values['dry-run'],
    });
});
