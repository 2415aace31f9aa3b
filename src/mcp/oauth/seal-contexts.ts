/**
 * What each sealed value of sign-ins at servers is bound to (contract §3.3): a value does not open in another row.
 * `npm run keys -- rotate` knows the same contexts (scripts/keys/sealed-database.mjs).
 */
export function tokenContext(credentialSetId: string): string {
  return `oauth|${credentialSetId}|token`;
}

export function grantContext(credentialSetId: string): string {
  return `oauth|${credentialSetId}|grant`;
}

export function signInContext(credentialSetId: string, stateHash: Buffer): string {
  return `oauth_sign_in|${credentialSetId}|${stateHash.toString('hex')}`;
}

export function clientContext(issuer: string, redirectUri: string): string {
  return `oauth_client|${issuer}|${redirectUri}`;
}
