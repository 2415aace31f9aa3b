import { Settings } from './settings.js';
import { settingsSchema } from './settings.schema.js';

/** Every fault of the settings in one message; the start ends with exit code 78 (EX_CONFIG). */
export class SettingsFault extends Error {}

/**
 * Reads the settings from an environment. A variable set to nothing counts as not set.
 * @throws {SettingsFault} with one line a fault, never with a value, since it may be a secret
 */
export function loadSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = settingsSchema.safeParse(given);
  if (parsed.success) return new Settings(parsed.data);
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new SettingsFault(`The settings have ${lines.length} fault(s):\n${lines.join('\n')}`);
}
