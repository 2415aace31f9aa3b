import { Problem } from '../../platform/http/problem.js';

export class CredentialSetNameTaken extends Problem {
  constructor(name: string) {
    super('name_taken', `The server has a credential set '${name}' already; choose another name.`);
  }
}

/** 409: the server has as many sets, or bytes of values, as it may have. */
export class CredentialSetLimit extends Problem {
  constructor(limit: string) {
    super('credential_set_limit', `${limit} Delete sets that no agent uses.`);
  }
}

/** 409: the set is needed, so it cannot be deleted. */
export class CredentialSetInUse extends Problem {
  constructor(detail: string) {
    super('in_use', detail);
  }

  static byDefault(): CredentialSetInUse {
    return new CredentialSetInUse("Every server has the set 'default'. Revoke it, or delete the server.");
  }

  static byGrants(name: string): CredentialSetInUse {
    return new CredentialSetInUse(
      `Grants or profiles name the credential set '${name}': give them another set first, or revoke the set to end its use at once.`,
    );
  }
}

/** 409: the values of the set were deleted. */
export class CredentialsRevoked extends Problem {
  constructor(name: string) {
    super(
      'credentials_revoked',
      `The credential set '${name}' was revoked: enter new values, or name another set in the grants.`,
    );
  }
}
