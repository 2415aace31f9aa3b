import { loadSettings } from '../../dist/src/platform/config/load-settings.js';
import { SettingsError } from '../../dist/src/platform/config/setting-rules.js';
import { DatabaseAway, setDatabaseAway } from './asked-database.mjs';
import { checkCatalog } from './catalog.mjs';
import { checkBackup, checkClock, checkKeyExpiry, checkPackages } from './contents.mjs';
import { checkDataFolder, checkSpace } from './data-folder.mjs';
import { checkDatabase } from './database.mjs';
import { checkKeyRing } from './key-ring.mjs';
import { checkPort } from './port.mjs';
import { checkRuntimes, checkSandbox } from './host.mjs';
import { checkLimits } from './limits.mjs';
import { checkAttachments } from './attachments.mjs';
import { checkPublicUrl } from './public-url.mjs';
import { checkRegistry } from './registry.mjs';
import { checkRole } from './role.mjs';
import { checkSignIn } from './sign-in.mjs';
import { checkTls } from './tls.mjs';
import { checkChores, checkWebhooks } from './upkeep.mjs';
import { nameOf, note, ok, problem } from './verdict.mjs';

/** In the order of a start: the first error often causes the next. */
const CHECKS = [
  ['data folder', checkDataFolder],
  ['disk space', checkSpace],
  ['database', checkDatabase],
  ['role', checkRole],
  ['key ring', checkKeyRing],
  ['catalogue', checkCatalog],
  ['attachments', checkAttachments],
  ['TLS', checkTls],
  ['address', checkPort],
  ['public URL', checkPublicUrl],
  ['sign in', checkSignIn],
  ['limits', checkLimits],
  ['runtimes', checkRuntimes],
  ['sandbox', checkSandbox],
  ['packages', checkPackages],
  ['registry', checkRegistry],
  ['clock', checkClock],
  ['chores', checkChores],
  ['webhooks', checkWebhooks],
  ['API keys', checkKeyExpiry],
  ['backup', checkBackup],
];

/** How a verdict is written: for people, or as lines of the log. */
let print = printForPeople;

/**
 * Prints the verdict of every check.
 * @param isJson whether each is one line in the form of the log, for programs
 * @returns whether there is no error
 */
export async function examine({ isJson = false } = {}) {
  print = isJson ? printForPrograms : printForPeople;
  setDatabaseAway(false);
  if (isJson) writeWarningsForPrograms();
  print('Node', ok(process.versions.node));
  const settings = settingsOrNull();
  if (!settings) return false;
  const verdicts = [];
  const isWrong = (check) => verdicts.some(({ name, level }) => name === check && level === 'ERROR');
  for (const [name, check] of CHECKS) {
    const found = [await judge(check, settings, isWrong)].flat().map((verdict) => naming(settings, verdict));
    for (const verdict of found) print(name, verdict);
    verdicts.push(...found.map((verdict) => ({ name, ...verdict })));
    if (name === 'database') setDatabaseAway(isWrong(name));
  }
  const errors = verdicts.filter(({ level }) => level === 'ERROR').length;
  if (!isJson)
    console.log(
      errors === 0
        ? '\nNo errors.'
        : `\n${errors} error(s). Fix the first one first: it may cause the others.`,
    );
  return errors === 0;
}

/** Returns the verdict with the names of the settings in use: DATABASE_URL_FILE where the URL is in a file. */
function naming({ secrets }, { says, fix, ...verdict }) {
  return { ...verdict, says: secrets.named(says), ...(fix && { fix: secrets.named(fix) }) };
}

function settingsOrNull() {
  try {
    const settings = loadSettings();
    if (settings.warnings.length === 0) print('settings', ok('valid'));
    for (const warning of settings.warnings) print('settings', note(...halves(warning)));
    return settings;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const line of linesOf(error)) print('settings', problem(...halves(line, CORRECT)));
    return null;
  }
}

const CORRECT = 'correct it; .env.example describes each setting';

/** Returns one line per invalid setting. */
function linesOf({ message }) {
  const [first, ...lines] = message.split('\n').map((line) => line.trim());
  return lines.length === 0 ? [first] : lines;
}

/** Returns the first sentence of a message, and the rest, which says what to do. */
function halves(message, otherwise = 'see .env.example') {
  const [, says, fix] = /^(.*?[^.])\. (.*)$/s.exec(message) ?? [null, message, otherwise];
  return [says, fix];
}

/** What needs the database or the data folder is no error of its own where these are one. */
async function judge(check, settings, isWrong) {
  try {
    return await check(settings);
  } catch (error) {
    if (error instanceof DatabaseAway)
      return note('not checked, because the database is not there', 'fix the database first');
    if (isWrong('data folder'))
      return note('not checked, because the data folder cannot be used', 'fix the data folder first');
    return problem(
      `could not be checked (${nameOf(error)})`,
      'run it as the user of the service; docs/operations.md, "Commands with the settings of the service", says how',
    );
  }
}

function printForPeople(name, { level, says, fix }) {
  console.log(`${level.padEnd(5)} ${name.padEnd(12)} ${says}`);
  if (fix) console.log(`${' '.repeat(19)}-> ${fix}`);
}

/** A warning of Node or of a library would come in a form of its own. */
function writeWarningsForPrograms() {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => writeLine('warn', 'Node', { msg: `${name}: ${message}` }));
}

const LEVELS = { ok: 'info', note: 'warn', ERROR: 'error' };

function printForPrograms(check, { level, says, fix }) {
  writeLine(LEVELS[level], 'Doctor', { check, msg: says, fix });
}

function writeLine(level, context, fields) {
  console.log(JSON.stringify({ level, time: new Date().toISOString(), context, ...fields }));
}
