import { ConfigurationError } from '../exit/exit-codes.js';

/**
 * The key ring is unusable. The message is one sentence for the operator that names the key id or the setting, never a
 * key, and says what to do (contract §3.3).
 */
export class KeyRingError extends ConfigurationError {}

/** A sealed value does not open: it was changed, moved to another row, or sealed with a key that the key ring lacks. */
export class SealBroken extends Error {
  constructor(why: string) {
    super(`A sealed value does not open: ${why}.`);
  }
}
