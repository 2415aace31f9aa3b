import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../paths.mjs';

const document = 'docs/openapi.json';
const servedDocument = 'src/platform/openapi/openapi.json';

/** Copies what the service reads at run time: the JSON files beside its sources, and the committed OpenAPI document. */
export function copyAssets(folder) {
  for (const file of readdirSync(inRoot('src'), { recursive: true }))
    if (file.endsWith('.json')) cpSync(inRoot('src', file), join(folder, 'src', file));
  if (existsSync(inRoot(document))) cpSync(inRoot(document), join(folder, servedDocument));
}
