// `npm start`: from a fresh clone to a running service, and `awp start` of the package. The service runs in this process, so
// signals reach it directly.
import { spawn } from 'node:child_process';
import module from 'node:module';
import { isCheckout, prepareCheckout } from './checkout.mjs';
import { inRoot } from './paths.mjs';

/** Young objects of a request fit into it, so that fewer of them are copied. */
const SEMI_SPACE = '--max-semi-space-size=32';

await prepareCheckout();
// The processes of the start inherit it. `npm start` names it for this one too, which a program of npm cannot.
if (!process.execArgv.some((flag) => flag.includes('semi-space-size'))) process.execArgv.push(SEMI_SPACE);
// From Node 22.8 on, a later start reads compiled code from here.
module.enableCompileCache?.(inRoot('node_modules/.cache/compiled'));
// Processes that the start begins (contract §9.5) find it there.
process.env.NODE_COMPILE_CACHE ??= inRoot('node_modules/.cache/compiled');
if (!process.argv.includes('--no-backup')) await prepareUpgrade();
await import('../dist/src/main.js');
await recordUpgrade();
if (isCheckout && process.env.DASHBOARD !== 'off') {
  const { isDashboardBuilt } = await import('./build-dashboard.mjs');
  if (!isDashboardBuilt()) buildInBackground();
}

/** Ends the process when no backup can be made. The start itself says what is wrong with settings and database. */
async function prepareUpgrade() {
  const settings = await settingsOrNull();
  if (!settings) return;
  try {
    const { backUpBeforeUpgrade } = await import('./backup/before-upgrade.mjs');
    await backUpBeforeUpgrade(settings);
  } catch (error) {
    console.error(
      `The service did not start. The backup before the upgrade failed: ${error.message} Correct that, or start with --no-backup.`,
    );
    process.exit(1);
  }
}

async function recordUpgrade() {
  const settings = await settingsOrNull();
  const { recordMigrated } = await import('./backup/before-upgrade.mjs');
  if (settings) recordMigrated(settings);
}

async function settingsOrNull() {
  const { loadSettings } = await import('../dist/src/platform/config/load-settings.js');
  try {
    return loadSettings();
  } catch {
    return null; // The start reports each error of the settings.
  }
}

/** The API must not wait for the dashboard; the child ends with this process. */
function buildInBackground() {
  const child = spawn(process.execPath, [inRoot('scripts/build-dashboard.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.once('exit', () => child.kill());
}
