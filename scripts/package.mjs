// `npm run package -- [FOLDER [NAME]]` builds what is published and packs it into FOLDER, by default packages/: every package, or
// the one of that name.
import { mkdirSync, rmSync } from 'node:fs';
import process from 'node:process';
import { buildDashboard } from './build-dashboard.mjs';
import { buildRunner } from './build-runner.mjs';
import { prepareCheckout } from './checkout.mjs';
import { inRoot } from './paths.mjs';
import { CommandFailed, mustRun } from './run.mjs';
import { step } from './step.mjs';

const DRAFTS = inRoot('.tmp/packages');
const EXIT_USAGE = 64;

/** What each package is built of, and how it is put together. */
const PACKAGES = {
  'agent-work-platform': {
    build: buildDashboard,
    assemble: async (folder) => (await import('./package/service-package.mjs')).assembleService(folder),
  },
  'awp-runner': {
    build: buildRunner,
    assemble: async (folder) => (await import('./package/runner-package.mjs')).assembleRunner(folder),
  },
  'agent-work-platform-client': {
    build: () => undefined,
    assemble: async (folder) => (await import('./package/client-package.mjs')).assembleClient(folder),
  },
};

process.exitCode = await main(process.argv.slice(2));

async function main([folder = inRoot('packages'), name]) {
  if (name !== undefined && !Object.hasOwn(PACKAGES, name)) {
    console.error(`There is no package ${name}: name one of ${Object.keys(PACKAGES).join(', ')}.`);
    return EXIT_USAGE;
  }
  try {
    await prepareCheckout();
    for (const one of name === undefined ? Object.keys(PACKAGES) : [name]) await pack(one, folder);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return error.code;
  }
}

async function pack(name, folder) {
  const { build, assemble } = PACKAGES[name];
  await build();
  const draft = `${DRAFTS}/${name}`;
  await step(`Packing ${name}`, async () => {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    mkdirSync(folder, { recursive: true });
    await assemble(draft);
    await mustRun('npm', ['pack', draft, '--pack-destination', folder, '--ignore-scripts', '--silent']);
  });
}
