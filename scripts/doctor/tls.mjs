import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fault, nameOf, note, ok } from './verdict.mjs';

const DAY_MS = 86_400_000;
const SOON_DAYS = 21;
const RENEW = 'renew the certificate, put it in place and restart the service';

export async function checkTls({ tls, production, trustedProxies }) {
  if (!tls) return withoutTls(production, trustedProxies);
  const certificate = await parsed('TLS_CERT_FILE', tls.certFile, (pem) => new X509Certificate(pem));
  if (certificate.fault) return certificate.fault;
  const key = await parsed('TLS_KEY_FILE', tls.keyFile, (pem) => createPrivateKey(pem));
  if (key.fault) return key.fault;
  return judge(certificate.value, key.value);
}

function withoutTls(production, trustedProxies) {
  if (!production || trustedProxies.length > 0) return ok('not the service’s own');
  return note(
    'none, and no proxy is trusted: what carries a secret will be refused',
    'set TLS_CERT_FILE and TLS_KEY_FILE, or TRUSTED_PROXIES where a proxy brings TLS',
  );
}

function judge(certificate, key) {
  if (!certificate.checkPrivateKey(key))
    return fault('TLS_KEY_FILE is not the key of TLS_CERT_FILE', 'name two files that belong together');
  const days = Math.floor((Date.parse(certificate.validTo) - Date.now()) / DAY_MS);
  if (days < 0) return fault(`the certificate ended on ${certificate.validTo}`, RENEW);
  if (Date.parse(certificate.validFrom) > Date.now())
    return fault(`the certificate begins on ${certificate.validFrom}`, 'check the clock of this host');
  const says = `good for ${days} more days`;
  return days < SOON_DAYS ? note(says, RENEW) : ok(says);
}

/** A parser's message may quote the file. */
async function parsed(name, file, parse) {
  let pem;
  try {
    pem = await readFile(file);
  } catch (error) {
    const mend = `let the service's user read it (uid ${process.geteuid()}), or set ${name}`;
    return { fault: fault(`${name} (${file}) can't be read (${nameOf(error)})`, mend) };
  }
  try {
    return { value: parse(pem) };
  } catch {
    return { fault: fault(`${name} (${file}) is not what it should be`, `name a PEM file in ${name}`) };
  }
}
