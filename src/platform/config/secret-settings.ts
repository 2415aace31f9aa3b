import type { SettingValues } from './settings.schema.js';

/**
 * The settings that hold a secret (contract §9). Each may be in a file instead, which the setting `NAME_FILE` names:
 * systemd (LoadCredential), Docker and Kubernetes hand secrets to a service as files.
 */
export const secretSettings = [
  'INTERNAL_KEY',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'BOOTSTRAP_OWNER_PASSWORD',
  'BOOTSTRAP_OWNER_API_KEY',
  'ENCRYPTION_KEYS',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'OIDC_CLIENT_SECRET',
] as const satisfies readonly (keyof SettingValues)[];

export type SecretSetting = (typeof secretSettings)[number];

/** The secrets that only the first start uses, so that a running service never needs them again. */
const START_ONLY: readonly SecretSetting[] = ['BOOTSTRAP_OWNER_PASSWORD', 'BOOTSTRAP_OWNER_API_KEY'];

/** Whether a running service uses the secret, so that it reads the file again (contract §8.6). */
export function isUsedInOperation(name: SecretSetting): boolean {
  return !START_ONLY.includes(name);
}

/** Returns the name of the setting that names the file of a secret. */
export function fileSettingOf(name: SecretSetting): `${SecretSetting}_FILE` {
  return `${name}_FILE`;
}

/** The names of all settings that name the file of a secret. TLS_KEY_FILE and the like are settings of their own. */
export const secretFileSettings: readonly string[] = secretSettings.map(fileSettingOf);

/** Whether the setting holds a secret that may be in a file. */
export function isSecretSetting(name: string): name is SecretSetting {
  return (secretSettings as readonly string[]).includes(name);
}
