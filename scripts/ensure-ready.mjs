import { accessSync, constants, existsSync } from 'node:fs';
import { build, isBuilt } from './build.mjs';
import { FOR_ALL, install, isInstalled } from './install.mjs';
import { EXIT_CONFIG, requireNodeVersion } from './node-version.mjs';
import { alone } from './alone.mjs';
import { inRoot, root } from './paths.mjs';
import { CommandFailed } from './run.mjs';
import { step } from './step.mjs';

/**
 * Installs the packages of package-lock.json that `scope` asks for unless node_modules has them. Ends the process when
 * that fails. A command for which nothing is missing waits for no other: a first start builds the dashboard for a minute.
 */
export async function ensureInstalled(scope = FOR_ALL) {
  requireNodeVersion();
  if (isInstalled(scope)) return;
  await orExit(async () => {
    if (isInstalled(scope)) return;
    refuseForeignFolder('installed');
    await step('Installing packages (npm ci)', () => install(scope));
  });
}

/** Builds dist unless it was made from the present sources. Ends the process when that fails. */
export async function ensureBuilt() {
  if (hasUsableBuild()) return;
  await orExit(async () => {
    if (hasUsableBuild()) return;
    refuseForeignFolder('built');
    await step('Building', build);
  });
}

/** A build that this user could not replace is used as it is, for instance by a service in the tree of root. */
function hasUsableBuild() {
  return isBuilt() || (!isWritable() && existsSync(inRoot('dist/src/main.js')));
}

/** Ends the process when this user cannot write the folder of the checkout. */
function refuseForeignFolder(missing) {
  if (isWritable()) return;
  console.error(
    `The service is not ${missing} in ${root}, and uid ${process.geteuid()} cannot write there. Run \`npm run setup\` in it once as its owner.`,
  );
  process.exit(EXIT_CONFIG);
}

function isWritable() {
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch {
    return false; // Another user's folder, or a read-only file system.
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
