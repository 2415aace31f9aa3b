/**
 * The key ring can't be used as it is. Its message is one sentence for the operator that names the key id or
 * the setting, never a key, and the way out; the start ends with it and exit code 78 (spec §3.3).
 */
export class KeyRingFault extends Error {}

/** A sealed value that does not open: changed, moved to another row, or sealed with a key that is not there. */
export class SealBroken extends Error {
  constructor(why: string) {
    super(`A sealed value does not open: ${why}.`);
  }
}
