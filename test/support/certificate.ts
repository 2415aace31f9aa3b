import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A self-signed certificate for 127.0.0.1, in files. */
export interface Certificate {
  key: string;
  certificate: string;
  /** The settings of a service that listens with it. */
  settings: { TLS_KEY_FILE: string; TLS_CERT_FILE: string };
  remove(): Promise<void>;
}

/** @param days until it expires */
export async function aCertificate(days = 2): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'awp-tls-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  await promisify(execFile)('openssl', [
    'req',
    ...['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', String(days), '-keyout', key, '-out', certificate],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'],
  ]);
  return {
    key,
    certificate,
    settings: { TLS_KEY_FILE: key, TLS_CERT_FILE: certificate },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
