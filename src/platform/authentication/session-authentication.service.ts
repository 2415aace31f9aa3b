import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { hashOfKey } from './api-key-format.js';
import { Unauthenticated } from './authentication.errors.js';
import type { UserPrincipal } from './principal.js';
import { Session } from './session.entity.js';
import { SessionRepository } from './session.repository.js';

/** Authenticates users by their session. */
@Injectable()
export class SessionAuthenticationService {
  constructor(@InjectRepository(Session) private readonly sessions: SessionRepository) {}

  /** @throws {Unauthenticated} when the session is unknown, ended, expired, or of a disabled user */
  async principalOf(token: string): Promise<UserPrincipal> {
    const found = await this.sessions.findByHash(hashOfKey(token));
    if (!found) throw new Unauthenticated();
    if (found.last_use_is_stale) await this.sessions.touch(found.session_id);
    return {
      type: 'user',
      id: found.user_id,
      name: found.user_name,
      email: found.user_email,
      role: found.user_role,
      roleCap: null,
      keyId: null,
      sessionId: found.session_id,
      signedInWith: found.signed_in_with,
      elevated: false,
      keyExpiresAt: null,
    };
  }
}
