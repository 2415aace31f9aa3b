// Writes .env.example from the settings' schema, or with --check tells whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';
import { inRoot } from './paths.mjs';

await ensureInstalled();
await ensureBuilt();
const { settingsSchema } = await import('../dist/src/platform/config/settings.schema.js');

const file = inRoot('.env.example');
const text = Object.entries(settingsSchema.shape)
  .map(([name, schema]) => `# ${schema.description}\n#${name}=${shownDefault(schema)}`)
  .join('\n\n');
const whole = `# Every setting of the service with its default. Empty means the default.\n\n${text}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, whole);
else if (readFileSync(file, 'utf8') !== whole) {
  console.error('.env.example is not up to date: run npm run env-example.');
  process.exitCode = 1;
}

function shownDefault(schema) {
  const parsed = schema.safeParse(undefined);
  if (!parsed.success || parsed.data === undefined) return '';
  return Array.isArray(parsed.data) ? parsed.data.join(',') : String(parsed.data);
}
