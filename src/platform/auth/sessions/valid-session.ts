/** The SQL condition for a valid session `s`: 12 hours without use, 7 days in all (contract §2.6). */
export const IS_VALID_SESSION = `s.last_used_at > now() - interval '12 hours' AND s.created_at > now() - interval '7 days'`;
