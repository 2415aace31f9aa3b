import { X509Certificate } from 'node:crypto';
import { createSecureContext, type Server } from 'node:tls';
import { readNamedFile, SettingsError } from './setting-rules.js';
import type { Settings } from './settings.js';

/**
 * Reads the certificate and the private key of the service.
 * @throws {SettingsError} when a file cannot be read, or the two do not belong together
 */
export function readTlsFiles({ certFile, keyFile }: NonNullable<Settings['tls']>): {
  cert: Buffer;
  key: Buffer;
} {
  const cert = readNamedFile(`TLS_CERT_FILE (${certFile})`, certFile);
  const key = readNamedFile(`TLS_KEY_FILE (${keyFile})`, keyFile);
  refuseUnless('TLS_CERT_FILE', certFile, 'a certificate in PEM format', { cert });
  refuseUnless('TLS_KEY_FILE', keyFile, 'a private key in PEM format without a passphrase', { key });
  refuseUnless('TLS_KEY_FILE', keyFile, `the private key of TLS_CERT_FILE (${certFile})`, { cert, key });
  return { cert, key };
}

/** OpenSSL's own message is left out, because it may quote the file. */
function refuseUnless(
  name: string,
  file: string,
  what: string,
  files: { cert?: Buffer; key?: Buffer },
): void {
  try {
    createSecureContext(files);
  } catch {
    throw new SettingsError(`${name} (${file}) is not ${what}. Name two PEM files that belong together.`);
  }
}

/** How often the files are compared with what is served. */
const CHECK_MS = 5_000;

type Files = { cert: Buffer; key: Buffer };

/**
 * Serves the certificate that is in the files now, because a certificate is renewed while the service runs (contract
 * §8.6). It reads the files, and does not watch them: renewals exchange links, and a watch of a link sees nothing.
 */
export class ServedCertificate {
  private served: Files | null = null;
  private lastError = '';

  /**
   * @param server listens with TLS, or will
   * @param read returns the present files; throws when they cannot be used, or do not belong together
   */
  constructor(
    private readonly server: Pick<Server, 'setSecureContext'>,
    private readonly read: () => Files,
  ) {}

  /** When the certificate expires that is served. Of a chain it is the first one, that of the service. */
  get expiresAt(): Date {
    return new Date(new X509Certificate(this.served!.cert).validTo);
  }

  /** Serves the present files, then checks again and again, and reports each new state of the files once. */
  begin(report: { renewed(): void; failed(error: unknown): void }): void {
    this.renew();
    setInterval(() => {
      try {
        if (this.renew()) report.renewed();
        this.lastError = '';
      } catch (error) {
        // A renewal writes two files: between them they do not belong together.
        if (String(error) !== this.lastError) report.failed(error);
        this.lastError = String(error);
      }
    }, CHECK_MS).unref();
  }

  /** Serves the present files from the next connection on. Returns whether they are others; throws as `read` does. */
  renew(): boolean {
    const files = this.read();
    if (this.served && files.cert.equals(this.served.cert) && files.key.equals(this.served.key)) return false;
    this.server.setSecureContext(files);
    this.served = files;
    return true;
  }
}
