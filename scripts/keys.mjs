// The commands of the key ring (contract §3.3). A kill at any moment leaves every sealed value readable.
import { runCommand } from './backup/command.mjs';
import { usageOf } from './commands.mjs';

/** How many arguments each takes at most. */
const COMMANDS = { init: 0, add: 1, rotate: 1, retire: 1, check: 0 };

process.exitCode = await runCommand(usageOf('keys'), async (settings) => {
  const [command = '', ...options] = process.argv.slice(2);
  if (!Object.hasOwn(COMMANDS, command) || options.length > COMMANDS[command]) return null;
  const { run } = await import(`./keys/${command}.mjs`);
  return () => run(settings(), options);
});
