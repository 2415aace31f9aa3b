import { prepareCheckout } from '../checkout.mjs';
import { takeSettingsFile } from '../settings-file.mjs';
import { printVisibly } from '../visible-output.mjs';

/**
 * Runs a command with the settings of `--settings`, where that is given, and returns its exit code: 64 for wrong arguments, 78 for what a person must correct, and 1 otherwise.
 * `prepare` receives a function that loads the settings, and returns the work, or null for wrong arguments. The work may return
 * an exit code. An error names the settings that are in use: DATABASE_URL_FILE where the URL is in a file.
 */
export async function runCommand(usage, prepare) {
  takeSettingsFile();
  await prepareCheckout();
  await printVisibly();
  const { loadSettings } = await import('../../dist/src/platform/config/load-settings.js');
  const { EXIT_RETRY, ExitError } = await import('../../dist/src/platform/exit/exit-codes.js');
  let settings = null;
  try {
    const work = await prepare(() => (settings = loadSettings()));
    if (work === null) return refuseArguments(usage);
    return (await work()) ?? 0;
  } catch (error) {
    if (String(error?.code).startsWith('ERR_PARSE_ARGS')) return refuseArguments(usage);
    const text = error instanceof Error ? error.message : String(error);
    console.error(settings?.secrets.named(text) ?? text);
    return error instanceof ExitError ? error.exitCode : EXIT_RETRY;
  }
}

function refuseArguments(usage) {
  console.error(`${usage}\n  --settings FILE  reads the settings of the service from FILE, as systemd does`);
  return 64;
}
