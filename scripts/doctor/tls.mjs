import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { nameOf, note, ok, problem } from './verdict.mjs';

const DAY_MS = 86_400_000;
const SOON_DAYS = 21;
const RENEW = 'renew the certificate and put it in place; the service notices it by itself';

export async function checkTls({ tls, production, trustedProxies, publicUrl }) {
  if (!tls) return withoutTls(production, trustedProxies);
  const certificate = await parsed('TLS_CERT_FILE', tls.certFile, (pem) => new X509Certificate(pem));
  if (certificate.problem) return certificate.problem;
  const key = await parsed('TLS_KEY_FILE', tls.keyFile, (pem) => createPrivateKey(pem));
  if (key.problem) return key.problem;
  return judge(certificate.value, key.value, publicUrl);
}

function withoutTls(production, trustedProxies) {
  if (!production || trustedProxies.length > 0) return ok('none of its own');
  return note(
    'none, and no proxy is trusted: requests that carry a secret are refused',
    'set TLS_CERT_FILE and TLS_KEY_FILE, or TRUSTED_PROXIES when a proxy provides HTTPS',
  );
}

function judge(certificate, key, publicUrl) {
  if (!certificate.checkPrivateKey(key))
    return problem('TLS_KEY_FILE is not the key of TLS_CERT_FILE', 'name two files that belong together');
  const days = Math.floor((Date.parse(certificate.validTo) - Date.now()) / DAY_MS);
  if (days < 0) return problem(`the certificate expired on ${certificate.validTo}`, RENEW);
  if (Date.parse(certificate.validFrom) > Date.now())
    return problem(
      `the certificate is valid only from ${certificate.validFrom}`,
      'check the clock of this host',
    );
  const says = `valid for ${days} more days`;
  if (days < SOON_DAYS) return note(says, RENEW);
  return refuseOtherHost(certificate, publicUrl) ?? ok(says);
}

function refuseOtherHost(certificate, publicUrl) {
  const host = publicUrl && new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  if (!host || certificate.checkHost(host) || certificate.checkIP(host)) return null;
  return note(
    `the certificate is not for ${host}, the host of PUBLIC_URL (it is for ${certificate.subjectAltName ?? 'no host'})`,
    'set TLS_CERT_FILE and TLS_KEY_FILE to a certificate for that host; ignore this if a proxy in front of the service has one',
  );
}

/** Hides the parser's message, which may quote the file. */
async function parsed(name, file, parse) {
  let pem;
  try {
    pem = await readFile(file);
  } catch (error) {
    const fix = `let the service's user read it (uid ${process.geteuid()}), or set ${name}`;
    return { problem: problem(`${name} (${file}) cannot be read (${nameOf(error)})`, fix) };
  }
  try {
    return { value: parse(pem) };
  } catch {
    return {
      problem: problem(
        `${name} (${file}) is not in PEM format without a passphrase`,
        `name a PEM file in ${name}`,
      ),
    };
  }
}
