// The commands of the key ring (contract §3.3). A kill at any moment leaves every sealed value readable.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { takeSettingsFile } from './settings-file.mjs';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';
import { FOR_START } from './install.mjs';
import { printVisibly } from './visible-output.mjs';

const USAGE = `npm run keys -- <command>
  init                 creates a key ring where none exists and nothing is sealed
  add [--not-primary]  adds a key, which seals from now on (or only opens, until rotate names it)
  rotate [key id]      makes the named key primary and seals every value again with the primary key
  retire <key id>      removes a key that seals nothing any more, while the service is stopped
  check                opens every value and prints counts
  --settings FILE      reads the settings of the service from FILE, as systemd does`;

const COMMANDS = { init: 0, add: 1, rotate: 1, retire: 1, check: 0 };

/** Missing in an image, which ships only the built service. */
const SOURCES = new URL('../src', import.meta.url);

takeSettingsFile();
process.exitCode = await main(process.argv.slice(2));

async function main([command, ...options]) {
  if (!Object.hasOwn(COMMANDS, command ?? '') || options.length > COMMANDS[command]) {
    console.error(USAGE);
    return 64;
  }
  if (existsSync(SOURCES)) {
    await ensureInstalled(FOR_START);
    await ensureBuilt();
  }
  await printVisibly();
  const { loadSettings } = await import('../dist/src/platform/config/load-settings.js');
  const { EXIT_RETRY, ExitError } = await import('../dist/src/platform/exit/exit-codes.js');
  try {
    const { run } = await import(`./keys/${command}.mjs`);
    return await run(loadSettings(), options);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return error instanceof ExitError ? error.exitCode : EXIT_RETRY;
  }
}
