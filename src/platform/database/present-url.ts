import { withStableTls } from '../config/database-tls.js';
import type { SecretSetting } from '../config/secret-files.js';
import type { Settings } from '../config/settings.js';

/** Returns the URL of the database as the file of its setting has it now; null where the setting has no file. */
export type PresentUrl = () => string | null;

/**
 * The URL for connections of the pool. Each new connection reads the file, so that one after a change of the password
 * uses the new one (contract §9). Only user and password differ from the URL of the start.
 */
export function poolUrl({ secrets }: Settings): PresentUrl {
  return () => urlIn(secrets.latest('DATABASE_URL'));
}

/** The same for connections past a pooler. */
export function directUrl({ secrets, isDatabasePooled }: Settings): PresentUrl {
  const setting: SecretSetting = isDatabasePooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  return () => urlIn(secrets.latest(setting));
}

function urlIn(written: string | null): string | null {
  return written === null ? null : withStableTls(written);
}
