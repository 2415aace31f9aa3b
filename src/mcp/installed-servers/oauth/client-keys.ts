import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { ClientAuth } from 'openid-client';
import { signInFailed } from './oauth-failure.js';

/** The signature of each kind of key (RFC 7518, RFC 8037). */
const ALGORITHMS: Record<string, string> = {
  rsa: 'RS256',
  ed25519: 'EdDSA',
  'ec prime256v1': 'ES256',
  'ec secp384r1': 'ES384',
};

/**
 * Returns the authentication of a client by a signed assertion (`private_key_jwt`, RFC 7523).
 * @param text a private key in PEM form, or a JSON Web Key, whose `kid` is sent
 * @throws {McpUnavailable} when it is not a private key of a supported kind; the sentence says nothing about the key
 */
export async function privateKeyJwt(text: string): Promise<ClientAuth> {
  const { key, kid } = parsed(text);
  const kind = [key.asymmetricKeyType, key.asymmetricKeyDetails?.namedCurve].filter(Boolean).join(' ');
  const algorithm = ALGORITHMS[kind];
  if (!algorithm)
    throw signInFailed('Its private key is not of a supported kind (RSA, P-256, P-384, Ed25519).');
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const [{ importPKCS8 }, { PrivateKeyJwt }] = await Promise.all([import('jose'), import('openid-client')]);
  return PrivateKeyJwt({ key: await importPKCS8(pem, algorithm), kid });
}

function parsed(text: string): { key: KeyObject; kid: string | undefined } {
  try {
    if (!text.trimStart().startsWith('{')) return { key: createPrivateKey(text), kid: undefined };
    const jwk = JSON.parse(text) as Record<string, unknown>;
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    return { key, kid: typeof jwk['kid'] === 'string' ? jwk['kid'] : undefined };
  } catch {
    // The error of the library may contain a part of the key.
    throw signInFailed('Its private key cannot be read: give a key in PEM form, or a JSON Web Key.');
  }
}
