// Writes .env.example from the schema of the settings; with --check, reports whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';
import { inRoot } from './paths.mjs';

await ensureInstalled();
await ensureBuilt();
const { settingsSchema } = await import('../dist/src/platform/config/settings.schema.js');
const { fileSettingOf, isSecretSetting } = await import('../dist/src/platform/config/secret-files.js');

const HEAD = `# Every setting of the service with its default. Empty means the default.
# The service reads a copy of this file named .env beside package.json; variables of the environment win over it.
# A secret may be in a file instead, which NAME_FILE names: set one of the two.`;

const file = inRoot('.env.example');
const text = Object.entries(settingsSchema.shape)
  .map(([name, schema]) => `# ${schema.description}\n#${name}=${shownDefault(schema)}${fileForm(name)}`)
  .join('\n\n');
const whole = `${HEAD}\n\n${text}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, whole);
else if (readFileSync(file, 'utf8') !== whole) {
  console.error('.env.example is not up to date. Run `npm run env-example`.');
  process.exitCode = 1;
}

function fileForm(name) {
  return isSecretSetting(name) ? `\n#${fileSettingOf(name)}=` : '';
}

function shownDefault(schema) {
  const parsed = schema.safeParse(undefined);
  if (!parsed.success || parsed.data === undefined) return '';
  return Array.isArray(parsed.data) ? parsed.data.join(',') : String(parsed.data);
}
