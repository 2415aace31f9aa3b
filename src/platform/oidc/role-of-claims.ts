import { rankOf, type Role } from '../authentication/principals-and-roles.js';
import type { OidcSettings } from '../config/oidc-settings.schema.js';

export type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns the role that the claims of a person give (contract §2.9): the highest one of the map, or the default role.
 * @returns null when they give none, so that the person is refused
 */
export function roleOfClaims(
  claims: Claims,
  { roleClaim, roleOfValue, defaultRole }: Pick<OidcSettings, 'roleClaim' | 'roleOfValue' | 'defaultRole'>,
): Role | null {
  const values = roleClaim === null ? [] : valuesOf(claimNamed(claims, roleClaim));
  const given = values.flatMap((value) => roleOfValue.get(value) ?? []);
  return given.toSorted((a, b) => rankOf(b) - rankOf(a))[0] ?? defaultRole;
}

/** Whether the claims hold this one, whatever its value. */
export function hasClaim(claims: Claims, name: string): boolean {
  return claimNamed(claims, name) !== undefined;
}

/**
 * Returns a claim by its whole name, which may be a URL with dots, or else by a path such as `realm_access.roles`. Only
 * members of the object itself count: `constructor` is no claim.
 */
function claimNamed(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** A claim with one value may be a text. Anything but texts gives no role. */
function valuesOf(claim: unknown): string[] {
  return [claim].flat().filter((value): value is string => typeof value === 'string');
}
