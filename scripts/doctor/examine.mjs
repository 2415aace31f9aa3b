import { loadSettings, SettingsFault } from '../../dist/src/platform/config/load-settings.js';
import { checkCatalog } from './catalog.mjs';
import { checkDataFolder, checkSpace } from './data-folder.mjs';
import { checkDatabase } from './database.mjs';
import { checkKeyRing } from './key-ring.mjs';
import { checkPort } from './port.mjs';
import { checkRuntimes, checkSandbox } from './host.mjs';
import { checkObjectStore } from './object-store.mjs';
import { checkTls } from './tls.mjs';
import { fault, nameOf, ok } from './verdict.mjs';

/** In the order of a start: what comes first is often why the next one fails. */
const CHECKS = [
  ['data folder', checkDataFolder],
  ['disk space', checkSpace],
  ['database', checkDatabase],
  ['key ring', checkKeyRing],
  ['catalogue', checkCatalog],
  ['attachments', checkObjectStore],
  ['TLS', checkTls],
  ['address', checkPort],
  ['runtimes', checkRuntimes],
  ['sandbox', checkSandbox],
];

/** Tells of every check. @returns whether there is no fault */
export async function examine() {
  tell('Node', ok(process.versions.node));
  const settings = settingsOrNull();
  if (!settings) return false;
  const verdicts = [];
  for (const [name, check] of CHECKS) {
    const verdict = await judge(check, settings);
    tell(name, verdict);
    verdicts.push(verdict);
  }
  const faults = verdicts.filter(({ level }) => level === 'FAULT').length;
  console.log(faults === 0 ? '\nNo fault.' : `\n${faults} fault(s): mend the first one first.`);
  return faults === 0;
}

function settingsOrNull() {
  try {
    const settings = loadSettings();
    tell('settings', ok('fit together'));
    return settings;
  } catch (error) {
    if (!(error instanceof SettingsFault)) throw error;
    tell('settings', fault(error.message, 'set them right; .env.example tells what each one takes'));
    return null;
  }
}

async function judge(check, settings) {
  try {
    return await check(settings);
  } catch (error) {
    return fault(`could not be looked at (${nameOf(error)})`, 'see docs/operations.md');
  }
}

function tell(name, { level, says, mend }) {
  console.log(`${level.padEnd(5)} ${name.padEnd(12)} ${says}`);
  if (mend) console.log(`${' '.repeat(19)}-> ${mend}`);
}
