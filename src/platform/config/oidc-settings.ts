import type { SecretFiles } from './secret-files.js';
import type { SettingValues } from './settings.schema.js';

type RoleName = NonNullable<SettingValues['OIDC_DEFAULT_ROLE']>;

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

/** Returns null when people sign in with passwords only. */
export function oidcOf(values: SettingValues, secrets: SecretFiles): OidcSettings | null {
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

function pairOf(text: string): [string, RoleName] {
  const at = text.lastIndexOf('=');
  return [text.slice(0, at), text.slice(at + 1) as RoleName];
}
