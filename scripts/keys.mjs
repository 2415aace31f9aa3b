// The commands of the key ring (contract §3.3). A kill at any moment leaves every sealed value readable.
import { runCommand } from './backup/command.mjs';

const USAGE = `npm run keys -- <command>
  init                 creates a key ring where none exists and nothing is sealed
  add [--not-primary]  adds a key, which seals from now on (or only opens, until rotate names it)
  rotate [key id]      makes the named key primary and seals every value again with the primary key
  retire <key id>      removes a key that seals nothing any more, while the service is stopped
  check                opens every value and prints counts`;

/** How many arguments each takes at most. */
const COMMANDS = { init: 0, add: 1, rotate: 1, retire: 1, check: 0 };

process.exitCode = await runCommand(USAGE, async (settings) => {
  const [command = '', ...options] = process.argv.slice(2);
  if (!Object.hasOwn(COMMANDS, command) || options.length > COMMANDS[command]) return null;
  const { run } = await import(`./keys/${command}.mjs`);
  return () => run(settings(), options);
});
