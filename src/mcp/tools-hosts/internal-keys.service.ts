import { hkdfSync } from 'node:crypto';
import type { TlsOptions } from 'node:tls';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { SealBroken } from '../../platform/encryption/key-ring.js';

const CONTEXT = 'internal endpoint of tools hosts';
const GIVEN = 'internal-key';

/**
 * A key that both sides know authenticates both and encrypts what they send: no certificate is needed. These suites are
 * forward-secret, so that a key that becomes known opens nothing that was recorded before.
 */
export const TLS_OPTIONS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} satisfies TlsOptions;

/** The key between the processes of this installation: `INTERNAL_KEY`, or one that is derived from the key ring. */
@Injectable()
export class InternalKeysService {
  constructor(
    private readonly settings: Settings,
    private readonly encryption: Encryption,
  ) {}

  /** Returns the key that this process uses for its requests. */
  own(): { identity: string; psk: Buffer } {
    const { internalKey } = this.settings;
    if (internalKey !== null) return { identity: GIVEN, psk: derived(internalKey) };
    const identity = this.encryption.primaryKeyId;
    return { identity, psk: this.encryption.mac(CONTEXT, CONTEXT, identity) };
  }

  /** Returns the key that a request names; null for one that this process does not know. */
  byIdentity(identity: string): Buffer | null {
    const { internalKey } = this.settings;
    if (internalKey !== null) return identity === GIVEN ? derived(internalKey) : null;
    try {
      return this.encryption.mac(CONTEXT, CONTEXT, identity);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}

function derived(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', CONTEXT, 32));
}
