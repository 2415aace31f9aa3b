import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { SettingsError } from './load-settings.js';
import type { Settings } from './settings.js';

/**
 * Reads the certificate and the private key of the service.
 * @throws {SettingsError} when a file cannot be read, or the two do not belong together
 */
export function readTlsFiles({ certFile, keyFile }: NonNullable<Settings['tls']>): {
  cert: Buffer;
  key: Buffer;
} {
  const files = { cert: read('TLS_CERT_FILE', certFile), key: read('TLS_KEY_FILE', keyFile) };
  refuseUnless('TLS_CERT_FILE', certFile, 'a certificate in PEM format', { cert: files.cert });
  refuseUnless('TLS_KEY_FILE', keyFile, 'a private key in PEM format without a passphrase', {
    key: files.key,
  });
  refuseUnless('TLS_KEY_FILE', keyFile, `the private key of TLS_CERT_FILE (${certFile})`, files);
  return files;
}

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `${name} (${file}) cannot be read (${code}). Name an existing file that the user of the service can read.`,
    );
  }
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
