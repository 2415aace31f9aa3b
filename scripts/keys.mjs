// The key ring's commands (spec §3.3). Every one may be killed at any moment: what was sealed stays open-able.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';

const USAGE = `npm run keys -- <command>
  init                 makes a key ring, where none is there and nothing is sealed
  add [--not-primary]  adds a fresh key, which seals from now on (or only opens, until rotate names it)
  rotate [key id]      seals every value anew with the primary key, which the named one becomes first
  retire <key id>      takes out a key that seals nothing any more, while the service is stopped
  check                opens every value and counts`;

const COMMANDS = { init: 0, add: 1, rotate: 1, retire: 1, check: 0 };

/** Not there in an image that ships what was built. */
const SOURCES = new URL('../src', import.meta.url);

process.exitCode = await main(process.argv.slice(2));

async function main([command, ...options]) {
  if (!Object.hasOwn(COMMANDS, command ?? '') || options.length > COMMANDS[command]) {
    console.error(USAGE);
    return 64;
  }
  if (existsSync(SOURCES)) {
    await ensureInstalled();
    await ensureBuilt();
  }
  const { loadSettings, SettingsFault } = await import('../dist/src/platform/config/load-settings.js');
  const { KeyRingFault } = await import('../dist/src/platform/encryption/key-ring.errors.js');
  try {
    const { run } = await import(`./keys/${command}.mjs`);
    return await run(loadSettings(), options);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return error instanceof KeyRingFault || error instanceof SettingsFault ? 78 : 1;
  }
}
