import { accessSync, constants, existsSync } from 'node:fs';
import { build, isBuilt } from './build.mjs';
import { FOR_ALL, install, isInstalled } from './install.mjs';
import { requireNodeVersion } from './node-version.mjs';
import { alone } from './alone.mjs';
import { inRoot, root } from './paths.mjs';
import { CommandFailed } from './run.mjs';
import { step } from './step.mjs';

/**
 * Installs the packages of package-lock.json that `scope` asks for unless node_modules has them. Ends the process when
 * that fails.
 */
export async function ensureInstalled(scope = FOR_ALL) {
  requireNodeVersion();
  await orExit(async () => {
    if (!isInstalled(scope)) await step('Installing packages (npm ci)', () => install(scope));
  });
}

/** Builds dist unless it was made from the present sources. Ends the process when that fails. */
export async function ensureBuilt() {
  await orExit(async () => {
    if (!isBuilt() && !isForeignBuild()) await step('Building', build);
  });
}

/** Whether there is a build that this user could not replace, as for the user of a service in the tree of root. */
function isForeignBuild() {
  try {
    accessSync(root, constants.W_OK);
    return false;
  } catch {
    return existsSync(inRoot('dist/src/main.js'));
  }
}

async function orExit(work) {
  try {
    await alone(work);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    process.exit(error.code);
  }
}
