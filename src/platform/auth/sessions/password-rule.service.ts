import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { Problem } from '../../http/problem/problem.js';
import { isFromThisHost } from '../../http/routes/https-rule.js';

/**
 * Decides where passwords sign in (contract §2.9). With PASSWORD_LOGIN=off only a program on this host may try, and only
 * the password of the first Owner is right there, so that an operator gets in when the OpenID provider does not.
 */
@Injectable()
export class PasswordRuleService {
  constructor(private readonly settings: Settings) {}

  accepts(request: Request): boolean {
    return this.settings.passwordLogin || isFromThisHost(request);
  }

  /** @throws {PasswordLoginOff} before anything is compared, so that the refusal says nothing about users */
  enforce(request: Request): void {
    if (!this.accepts(request)) throw new PasswordLoginOff();
  }
}

class PasswordLoginOff extends Problem {
  constructor() {
    super('password_login_off', 'Passwords are turned off here. Sign in at GET /api/auth/oidc/login.');
  }
}
