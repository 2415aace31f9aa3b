import { z } from 'zod';
import { list, text } from './setting-rules.js';

const roleNames = ['Viewer', 'Editor', 'Admin', 'Owner'] as const;
type RoleName = (typeof roleNames)[number];

/** The values of the settings of the sign-in of people. */
export interface SignInValues {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_ROLE_CLAIM?: string | undefined;
  OIDC_ROLE_MAP: readonly string[];
  OIDC_DEFAULT_ROLE?: RoleName | undefined;
  OIDC_NAME?: string | undefined;
  OIDC_SCOPES: string;
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

/** A value of the role claim and the role that it gives: `platform-admins=Admin`. The value may contain `=`. */
const ROLE_OF_VALUE = new RegExp(`^.+=(${roleNames.join('|')})$`);

/** The settings of the sign-in of people (contract §2.9). */
export const signInSettings = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an https:// URL' })
    .refine((value) => !/[?#]/.test(value), 'must have no query and no fragment')
    .optional()
    .describe(
      'Issuer of the OpenID provider with whose accounts people sign in, exactly as the provider writes it; with OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    ),
  OIDC_CLIENT_ID: text.optional().describe('Id of this service as a client of that provider.'),
  OIDC_CLIENT_SECRET: text.optional().describe('Secret of that client.'),
  OIDC_NAME: text
    .max(60)
    .optional()
    .describe(
      'Name of the provider on the sign-in page ("Continue with …"); default: the host of the issuer.',
    ),
  OIDC_SCOPES: text
    .default('openid profile email')
    .refine((value) => value.split(' ').includes('openid'), 'must contain openid')
    .describe('Scopes that are requested, separated by spaces; some providers need one more for groups.'),
  OIDC_ROLE_CLAIM: text
    .optional()
    .describe(
      'Claim that holds the groups or roles of a person, such as groups or realm_access.roles; with OIDC_ROLE_MAP.',
    ),
  OIDC_ROLE_MAP: list(',', (value) => ROLE_OF_VALUE.test(value), 'pairs such as platform-admins=Admin')
    .default([])
    .describe(
      'Roles of the values of that claim: value=Role,value=Role; the highest one counts, at each sign-in.',
    ),
  OIDC_DEFAULT_ROLE: z
    .enum(roleNames)
    .optional()
    .describe('Role of people whom OIDC_ROLE_MAP gives none; unset: they are refused.'),
  PASSWORD_LOGIN: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off: only the first Owner signs in with a password, from this host; with OIDC_ISSUER.'),
};

/** With whose accounts people sign in (contract §2.9). */
export interface OidcSettings {
  /** Exactly as the operator wrote it. */
  issuer: string;
  clientId: string;
  /** The present one: a secret that is in a file may change in operation. */
  readonly clientSecret: string;
  /** Reads the file of the secret again, after the provider refused it. Returns whether the secret has changed. */
  renewSecret(): boolean;
  /** As the sign-in page shows it. */
  name: string;
  scopes: string;
  /** null: roles are given in this service. */
  roleClaim: string | null;
  roleOfValue: ReadonlyMap<string, RoleName>;
  /** null: people without a role are refused. */
  defaultRole: RoleName | null;
}

/** The secrets of a running service, which may be in files. */
interface PresentSecrets {
  present(name: 'OIDC_CLIENT_SECRET'): string | null;
  /** Reads the file again. Returns whether the secret has changed. */
  look(name: 'OIDC_CLIENT_SECRET'): boolean;
}

/** Returns null when people sign in with passwords only. */
export function oidcOf(values: SignInValues, secrets: PresentSecrets): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (!issuer || !clientId || !clientSecret) return null;
  return {
    issuer,
    clientId,
    get clientSecret() {
      return secrets.present('OIDC_CLIENT_SECRET') ?? clientSecret;
    },
    renewSecret: () => secrets.look('OIDC_CLIENT_SECRET'),
    name: values.OIDC_NAME ?? new URL(issuer).host,
    scopes: values.OIDC_SCOPES,
    roleClaim: values.OIDC_ROLE_CLAIM ?? null,
    roleOfValue: new Map(values.OIDC_ROLE_MAP.map(pairOf)),
    defaultRole: values.OIDC_DEFAULT_ROLE ?? null,
  };
}

function pairOf(pair: string): [string, RoleName] {
  const at = pair.lastIndexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1) as RoleName];
}
