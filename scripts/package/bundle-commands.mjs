import { NOT_INSTALLED, OUTSIDE, REQUIRE, build, common, positions, required } from '../build/bundle.mjs';
import { inRoot, root } from '../paths.mjs';

/** What a checkout needs before it can run, and a package has behind it. A command loads it only in a checkout. */
export const IN_A_CHECKOUT = [
  './ensure-ready.mjs',
  './install.mjs',
  './build-runner.mjs',
  './build-dashboard.mjs',
];

/**
 * Bundles `awp` and its commands with all that they import into `folder`, a sibling of dist. What two commands share is one
 * file. Each command is a module of the checkout: there is no second copy of the sources.
 */
export async function bundleCommands(folder) {
  await build({
    ...common,
    entryPoints: [inRoot('scripts/awp.mjs')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    splitting: true,
    // TypeORM reads the names of classes, which a bundle makes distinct.
    keepNames: true,
    banner: { js: REQUIRE },
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    external: [...OUTSIDE, ...NOT_INSTALLED, ...IN_A_CHECKOUT],
    plugins: [service(), positions(root, inRoot('bin')), required()],
  });
}

/** What the start itself loads stays outside: it is the service, which has one copy of each module (contract §9). */
function service() {
  return {
    name: 'service',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\.\/dist\/src\// }, ({ path, importer }) =>
        importer === inRoot('scripts/start.mjs') ? { path, external: true } : null,
      ),
  };
}
