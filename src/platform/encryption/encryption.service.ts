import { KeyRingFault } from './key-ring.errors.js';
import { loadKeyRing, type KeyRingSource } from './key-ring.file.js';
import type { KeyRing } from './key-ring.js';
import { proveKeyRing, type KeyCheckStore } from './key-proof.js';
import { readSealedValue } from './sealed-value.js';

/**
 * Seals and opens values with the key ring of this process (spec §3.3). Starts locked: `unlock` proves the
 * ring against the database before the service listens, and until then nothing is sealed or opened.
 */
export class Encryption {
  private proved: KeyRing | null = null;

  constructor(private readonly source: KeyRingSource & { production: boolean }) {}

  get unlocked(): boolean {
    return this.proved !== null;
  }

  /** @throws {KeyRingFault} which ends the start with exit code 78 */
  async unlock(store: KeyCheckStore): Promise<void> {
    this.proved = await proveKeyRing(loadKeyRing(this.source), store, this.source);
  }

  /** Seals `plain` with the primary key, bound to `context`. */
  seal(plain: string, context: string): string {
    return this.ring.seal(plain, context);
  }

  /** @throws {SealBroken} for a value that was not sealed for this context, or not with a key of this ring */
  open(sealed: string, context: string): string {
    if (!this.ring.ids.includes(readSealedValue(sealed).keyId)) this.rereadRing();
    return this.ring.open(sealed, context);
  }

  private get ring(): KeyRing {
    if (!this.proved) throw new Error('The key ring has not been unlocked yet.');
    return this.proved;
  }

  /**
   * `npm run keys -- add` and `rotate` may have run beside this process: then the file holds the ring we
   * have and more. A file that lost or changed a key we have proved is not taken.
   */
  private rereadRing(): void {
    try {
      const reread = loadKeyRing(this.source);
      if (reread?.contains(this.ring)) this.proved = reread;
    } catch (error) {
      if (!(error instanceof KeyRingFault)) throw error;
    }
  }
}
