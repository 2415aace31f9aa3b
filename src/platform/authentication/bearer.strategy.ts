import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { KeyAuthenticationService } from './key-authentication.service.js';
import type { Principal } from './principal.js';

/** Authenticates a caller by `Authorization: Bearer`, and by nothing else. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly keys: KeyAuthenticationService) {
    super({ realm: 'awp' });
  }

  /**
   * Passes only the headers on. The library would also accept a key in `?access_token=` or in the body, where logs and
   * proxies see it.
   */
  override authenticate(request: Request): void {
    super.authenticate({ headers: request.headers } as Request);
  }

  validate(key: string): Promise<Principal> {
    return this.keys.principalOf(key);
  }
}
