// `npm run archive -- YYYY-MM` moves a month of the tables that grow into the attachment store. The service may run.
import { parseArgs } from 'node:util';
import { runCommand } from './backup/command.mjs';
import { usageOf } from './commands.mjs';

const OPTIONS = Object.fromEntries(
  ['keep', 'dry-run', 'list', 'verify', 'restore'].map((name) => [name, { type: 'boolean', default: false }]),
);

process.exitCode = await runCommand(usageOf('archive'), async (settings) => {
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
