import type { ApiKey, NewApiKey, Role } from '../../api/types';

export interface NewKeyRequest {
  name: string;
  expiresAt: string | null;
  role?: Role;
}

/** How the owner of the keys creates and revokes them: each kind of owner has routes of its own. */
export interface KeyChanges {
  create: (request: NewKeyRequest) => Promise<NewApiKey>;
  revoke: (key: ApiKey) => Promise<unknown>;
  /** What a revocation leaves, after "Everything that uses it is refused at once": "Your session stays." */
  consequence: string;
  /** Roles that a new key may be narrowed to; agents' keys have none. */
  roles?: readonly Role[];
}
