// `npm run openapi` writes docs/openapi.json, and the types of a client in client/schema.d.ts, from the sources.
// `-- --check` changes nothing, and exits with 1 when the committed document differs from the code or breaks a rule of
// scripts/openapi/redocly.yaml. Neither needs a database or the network.
// `-- --release` also writes docs/openapi.released.json, with which a test compares later changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';

const COMMITTED = inRoot('docs/openapi.json');
const TYPES = inRoot('client/schema.d.ts');
const RELEASED = inRoot('docs/openapi.released.json');

await ensureInstalled();
await ensureBuilt();
const { documentOfSources } = await import('./openapi/document-of-sources.mjs');
const { typesOfDocument } = await import('./openapi/types-of-document.mjs');
const text = await documentOfSources();
const types = await typesOfDocument(text);
if (process.argv.includes('--check')) process.exitCode = (await differs()) || (await lint());
else {
  writeFileSync(COMMITTED, text);
  writeFileSync(TYPES, types);
}
if (process.argv.includes('--release')) writeFileSync(RELEASED, text);

async function differs() {
  if (readOrEmpty(COMMITTED) === text && readOrEmpty(TYPES) === types) return 0;
  console.error('docs/openapi.json or the types made from it differ from the code. Run `npm run openapi`:');
  const made = inRoot('dist/openapi.json');
  writeFileSync(made, text);
  await run('diff', ['-u', COMMITTED, made]);
  return 1;
}

function lint() {
  const redocly = inRoot('node_modules/@redocly/cli/bin/cli.js');
  const config = inRoot('scripts/openapi/redocly.yaml');
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return run(process.execPath, [redocly, 'lint', '--config', config, COMMITTED], { env });
}

function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
