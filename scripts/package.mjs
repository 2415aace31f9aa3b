// `npm run package -- [FOLDER]` builds everything and packs the packages that are published into FOLDER, by default packages/.
import { mkdirSync, rmSync } from 'node:fs';
import process from 'node:process';
import { buildDashboard } from './build-dashboard.mjs';
import { prepareCheckout } from './checkout.mjs';
import { inRoot } from './paths.mjs';
import { CommandFailed, mustRun } from './run.mjs';
import { step } from './step.mjs';

const DRAFTS = inRoot('.tmp/packages');

try {
  await prepareCheckout();
  await buildDashboard();
  await pack(process.argv[2] ?? inRoot('packages'));
} catch (error) {
  if (!(error instanceof CommandFailed)) throw error;
  process.exitCode = error.code;
}

async function pack(folder) {
  const { assembleService } = await import('./package/service-package.mjs');
  const { assembleRunner } = await import('./package/runner-package.mjs');
  const kinds = { 'agent-work-platform': assembleService, 'awp-runner': assembleRunner };
  rmSync(DRAFTS, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, assemble] of Object.entries(kinds)) {
    const draft = `${DRAFTS}/${name}`;
    await step(`Packing ${name}`, async () => {
      mkdirSync(draft, { recursive: true });
      await assemble(draft);
      await mustRun('npm', ['pack', draft, '--pack-destination', folder, '--ignore-scripts', '--silent']);
    });
  }
}
