import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIRE, build, common, positions } from '../build/bundle.mjs';
import { inRoot } from '../paths.mjs';
import { commonManifest } from './manifest.mjs';

/**
 * Assembles the package of the runner in `folder`: one program with its libraries, of which it uses a small part. It depends on
 * no other package.
 */
export async function assembleRunner(folder) {
  const built = inRoot('runner/dist');
  await build({
    ...common,
    // The second one is a process of its own, which the first one starts.
    entryPoints: [join(built, 'main.js'), join(built, 'processes/watcher.js')],
    outbase: built,
    outdir: join(folder, 'dist'),
    banner: { js: REQUIRE },
    plugins: [positions(built, built)],
  });
  for (const file of ['awp-runner.schema.json', 'prompt.md'])
    cpSync(inRoot('runner', file), join(folder, file));
  cpSync(inRoot('LICENSE'), join(folder, 'LICENSE'));
  cpSync(inRoot('docs/runner.md'), join(folder, 'README.md'));
  const { name, description, bin } = JSON.parse(readFileSync(inRoot('runner/package.json'), 'utf8'));
  const manifest = { name, description, ...commonManifest(), bin };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
