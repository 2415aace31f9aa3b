import { type KeyCheckStore, proveKeyRing } from './key-proof-rotation-and-first-ring.js';
import { type KeyRingSource, loadKeyRing } from './key-ring-sources.js';
import { type KeyRing, KeyRingError, readSealedValue } from './key-ring.js';

/**
 * Seals and opens values with the key ring of this process (contract §3.3). It starts locked: `unlock` proves the key
 * ring against the database before the service listens, and until then it seals and opens nothing.
 */
export class Encryption {
  private proved: KeyRing | null = null;

  constructor(private readonly source: KeyRingSource & { production: boolean }) {}

  get unlocked(): boolean {
    return this.proved !== null;
  }

  /**
   * @throws {KeyRingError} when the key ring is unusable or not that of this database; the start ends with exit code 78
   */
  async unlock(store: KeyCheckStore): Promise<void> {
    this.proved = await proveKeyRing(loadKeyRing(this.source), store, this.source);
  }

  /** Seals `plain` with the primary key, bound to `context`. */
  seal(plain: string, context: string): string {
    return this.ring.seal(plain, context);
  }

  /** @throws {SealBroken} when the value was not sealed for this context, or not with a key of this key ring */
  open(sealed: string, context: string): string {
    this.know(readSealedValue(sealed).keyId);
    return this.ring.open(sealed, context);
  }

  /** The id of the key that seals and signs now. */
  get primaryKeyId(): string {
    return this.ring.primary;
  }

  /**
   * Returns the MAC of `text` for this context, the same one each time.
   * @throws {SealBroken} when the key ring does not hold the key
   */
  mac(text: string, context: string, keyId: string): Buffer {
    this.know(keyId);
    return this.ring.mac(text, context, keyId);
  }

  private know(keyId: string): void {
    if (!this.ring.ids.includes(keyId)) this.rereadRing();
  }

  private get ring(): KeyRing {
    if (!this.proved) throw new Error('The key ring has not been unlocked yet.');
    return this.proved;
  }

  /**
   * Reads the key ring again, because `npm run keys -- add` and `rotate` may have run beside this process: then the file
   * holds every known key and more.
   * @throws {KeyRingError} when it is unusable, or lost or changed a proved key; the present key ring then stays
   */
  reload(): void {
    const reread = loadKeyRing(this.source);
    if (!reread?.contains(this.ring))
      throw new KeyRingError('The key ring lacks a key that is in use, or has another one by its name.');
    this.proved = reread;
  }

  private rereadRing(): void {
    try {
      this.reload();
    } catch (error) {
      // An unusable file changes nothing: the value then fails to open with the key ring at hand, which is reported.
      if (!(error instanceof KeyRingError)) throw error;
    }
  }
}
