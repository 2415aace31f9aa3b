import { Injectable } from '@nestjs/common';
import { Chores } from '../../chores/chores.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { PasswordThrottle } from './password-throttle.js';

const HOUR = 3_600;

/** Removes what ran out: sessions, and counts of failed logins. Nothing depends on when that happens. */
@Injectable()
export class AuthChores {
  constructor(chores: Chores, sessions: SessionsRepository, throttle: PasswordThrottle) {
    chores.add({ name: 'sessions that ran out', everySeconds: HOUR, run: () => sessions.sweep() });
    chores.add({ name: 'counts of failed logins', everySeconds: HOUR, run: () => throttle.sweep() });
  }
}
