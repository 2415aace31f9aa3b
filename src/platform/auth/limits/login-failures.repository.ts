import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../database/database.service.js';

/** The counts of failed logins, which `PasswordThrottleService` writes through its limiters. */
@Injectable()
export class LoginFailuresRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Removes the counts of expired windows, and returns their number. */
  sweep(): Promise<number> {
    return this.database.change('DELETE FROM login_failures WHERE expire < $1', [Date.now()]);
  }
}
