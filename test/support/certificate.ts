import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A self-signed certificate, in files. */
export interface Certificate {
  key: string;
  certificate: string;
  /** The settings of a service that listens with it. */
  settings: { TLS_KEY_FILE: string; TLS_CERT_FILE: string };
  remove(): Promise<void>;
}

/**
 * @param days until it expires; a negative number makes one that has expired
 * @param names what it is for, as OpenSSL writes it
 */
export async function aCertificate(days = 2, names = 'IP:127.0.0.1'): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'awp-tls-'));
  const at = (name: string) => join(folder, name);
  const [key, certificate] = [at('key.pem'), at('cert.pem')];
  await writeFile(at('extensions'), `basicConstraints=CA:TRUE\nsubjectAltName=${names}\n`);
  await openssl(
    ...['req', '-new', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'],
    ...['-keyout', key, '-out', at('request')],
  );
  await openssl(
    ...['x509', '-req', '-days', String(days), '-in', at('request'), '-signkey', key],
    ...['-extfile', at('extensions'), '-out', certificate],
  );
  return {
    key,
    certificate,
    settings: { TLS_KEY_FILE: key, TLS_CERT_FILE: certificate },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function openssl(...args: string[]): Promise<void> {
  await promisify(execFile)('openssl', args);
}
