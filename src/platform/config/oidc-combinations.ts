/** The settings of the sign-in of people that a combination concerns. */
export interface SignInValues {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_ROLE_CLAIM?: string | undefined;
  OIDC_ROLE_MAP: readonly string[];
  OIDC_DEFAULT_ROLE?: string | undefined;
  OIDC_NAME?: string | undefined;
  PASSWORD_LOGIN: string;
}

const CLIENT = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Refuses settings of the sign-in that are incomplete, or that would lock everyone out (contract §2.9). */
export function refuseSignIn(values: SignInValues, refuse: (name: string, message: string) => void): void {
  const { OIDC_ISSUER: issuer, OIDC_ROLE_CLAIM: claim, OIDC_ROLE_MAP: map } = values;
  const uses = [...CLIENT, 'OIDC_ROLE_CLAIM', 'OIDC_DEFAULT_ROLE', 'OIDC_NAME'] as const;
  if (map.length > 0 || uses.some((name) => values[name]))
    for (const name of CLIENT) if (!values[name]) refuse(name, 'is needed with the other settings of OIDC_…');
  if (claim && map.length === 0) refuse('OIDC_ROLE_MAP', 'is needed with OIDC_ROLE_CLAIM');
  if (!claim && map.length > 0) refuse('OIDC_ROLE_CLAIM', 'is needed with OIDC_ROLE_MAP');
  if (issuer?.startsWith('http://') && !LOOPBACK.includes(new URL(issuer).hostname))
    refuse('OIDC_ISSUER', 'must be an https:// URL; http:// is accepted on this host only');
  if (values.PASSWORD_LOGIN === 'off' && !issuer)
    refuse('PASSWORD_LOGIN', 'can be off only with OIDC_ISSUER, because no one could sign in');
}
