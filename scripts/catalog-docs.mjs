// `npm run catalog:docs` writes the table of the shipped entries in docs/catalogue.md from their files. A unit test
// compares them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTable } from './catalog-docs/table.mjs';
import { inRoot } from './paths.mjs';

const folder = inRoot('src/mcp/catalog/entries');
const page = inRoot('docs/catalogue.md');
const entries = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
writeFileSync(page, withTable(readFileSync(page, 'utf8'), entries));
