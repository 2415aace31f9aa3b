import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { KeyAuthentication } from './key-authentication.js';
import type { Principal } from './principal.js';

/** Proves a caller by `Authorization: Bearer`, and by nothing else. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly keys: KeyAuthentication) {
    super({ realm: 'awp' });
  }

  /** The library also takes a key from `?access_token=` and from the body, where logs and proxies see it: it is shown neither. */
  override authenticate(request: Request): void {
    super.authenticate({ headers: request.headers } as Request);
  }

  validate(key: string): Promise<Principal> {
    return this.keys.principalOf(key);
  }
}
