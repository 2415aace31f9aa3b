import type { Settings } from '../../config/settings.js';

/** How long a session lasts (contract §2.6). */
export type SessionLife = Pick<Settings, 'sessionIdleHours' | 'sessionMaxDays'>;

/** The condition for a valid session. @param s alias of the table `sessions` */
export const isValidSession = (s: string, life: SessionLife): string =>
  `(${s}.last_used_at > now() - ${idleTime(life)} AND ${s}.created_at > now() - ${wholeLife(life)})`;

/** When a session ends if it is not used again. @param s alias of the table `sessions` */
export const endOfSession = (s: string, life: SessionLife): string =>
  `least(${s}.last_used_at + ${idleTime(life)}, ${s}.created_at + ${wholeLife(life)})`;

/** The time without use after which a session ends, as an interval. */
const idleTime = ({ sessionIdleHours }: SessionLife) => `interval '${sessionIdleHours} hours'`;

/** The time after which a session ends whatever its use, as an interval. */
export const wholeLife = ({ sessionMaxDays }: Pick<SessionLife, 'sessionMaxDays'>): string =>
  `interval '${sessionMaxDays} days'`;
