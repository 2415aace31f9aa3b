// `npm run catalog -- check FILE [NAME=VALUE …]` says what is wrong with the file of a catalogue entry, by line and field. It
// installs and verifies a valid one on a temporary service, with the given values of its variables.
import { runCommand } from './backup/command.mjs';
import { usageOf } from './commands.mjs';

process.exitCode = await runCommand(usageOf('catalog'), async () => {
  const [command, file, ...pairs] = process.argv.slice(2);
  const given = pairs.map((pair) => /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(pair)?.slice(1));
  if (command !== 'check' || file === undefined || given.includes(undefined)) return null;
  const { checkEntry } = await import('./catalog-check/check-entry.mjs');
  return () => checkEntry(file, Object.fromEntries(given));
});
