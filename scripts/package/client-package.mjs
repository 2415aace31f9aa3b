import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../paths.mjs';
import { commonManifest } from './manifest.mjs';

/** Its name in this repository, where the runner installs the folder as a link (decision 0029). */
const OWN_NAME = 'agent-work-platform-client';
const NAME = '@agent-work-platform/client';

/** Assembles the package of the typed client in `folder`. It is plain JavaScript with types, so nothing is built. */
export function assembleClient(folder) {
  const { description, exports, files, dependencies } = JSON.parse(
    readFileSync(inRoot('client/package.json'), 'utf8'),
  );
  for (const file of files) cpSync(inRoot('client', file), join(folder, file));
  cpSync(inRoot('LICENSE'), join(folder, 'LICENSE'));
  cpSync(inRoot('examples/typed-client.mts'), join(folder, 'example.mts'));
  const page = readFileSync(inRoot('client/README.md'), 'utf8');
  writeFileSync(join(folder, 'README.md'), page.replaceAll(OWN_NAME, NAME));
  // A program that has openapi-fetch itself must not get a second one, whose types differ.
  const manifest = { name: NAME, description, ...commonManifest(), exports, peerDependencies: dependencies };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
