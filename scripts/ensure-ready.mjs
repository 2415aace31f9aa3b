import { build, isBuilt } from './build.mjs';
import { install, isInstalled } from './install.mjs';
import { requireNodeVersion } from './node-version.mjs';
import { alone } from './alone.mjs';
import { CommandFailed } from './run.mjs';
import { step } from './step.mjs';

/** Installs the packages of package-lock.json unless node_modules holds just these. Ends the process on a fault. */
export async function ensureInstalled() {
  requireNodeVersion();
  await orExit(async () => {
    if (!isInstalled()) await step('Installing packages (npm ci)', install);
  });
}

/** Builds dist unless it was made from just these sources. Ends the process on a fault. */
export async function ensureBuilt() {
  await orExit(async () => {
    if (!isBuilt()) await step('Building (nest build)', build);
  });
}

async function orExit(work) {
  try {
    await alone(work);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    process.exit(error.code);
  }
}
