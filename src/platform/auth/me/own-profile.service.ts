import { Injectable } from '@nestjs/common';
import { Forbidden } from '../auth.errors.js';
import { OwnPasswordService } from '../sessions/own-password.service.js';
import type { UserPrincipal } from '../principal.js';
import type { UserRow } from '../users/users.repository.js';
import { UsersService } from '../users/users.service.js';
import type { UpdateMeRequest } from './dto/update-me.request.js';

/** Changes a user's own name and e-mail address. */
@Injectable()
export class OwnProfileService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: OwnPasswordService,
  ) {}

  /**
   * The e-mail address is what a user signs in with, so a new one takes the password: a stolen session or key must not be
   * enough to take the account over. A key with a narrower role cannot change the account at all.
   * @throws {ValidationFailed} when the e-mail address changes and `currentPassword` is missing or wrong
   */
  async change(caller: UserPrincipal, { name, email, currentPassword }: UpdateMeRequest): Promise<UserRow> {
    if (caller.roleCap !== null)
      throw new Forbidden(
        'A key with a role of its own cannot change the profile. Sign in, or use another key.',
      );
    const isNewEmail = email !== undefined && email !== caller.email;
    if (isNewEmail) await this.passwords.prove(caller, currentPassword);
    return this.users.updateOwn(caller.id, { name, email });
  }
}
