import type { Principal } from '../../auth/principal.js';
import type { Role } from '../../auth/roles.js';

/** Knows the projects that paths lead to. The layer that has projects registers it. */
export interface ReplayRights {
  /** Returns the project that the parameters of a path lead to, or null. */
  projectOf(parameters: Readonly<Record<string, unknown>>): Promise<string | null>;
  /** @throws {NotFound | RoleTooLow} unless the caller may still do in the project what it did */
  require(caller: Principal, projectId: string, threshold: Role): Promise<void>;
}
