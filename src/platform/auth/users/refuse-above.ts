import { Forbidden } from '../auth.errors.js';
import type { UserPrincipal } from '../principal.js';
import { isAtLeast, type Role } from '../roles.js';

/** @throws {Forbidden} when `role` is above the caller's */
export function refuseAbove(caller: UserPrincipal, role: Role): void {
  if (!isAtLeast(caller.role, role))
    throw new Forbidden(`Your role is ${caller.role}, and ${role} is above it.`);
}
