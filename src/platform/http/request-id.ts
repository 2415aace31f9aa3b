import { v7 as uuidv7 } from 'uuid';

const SANE_TOKEN = /^[A-Za-z0-9._~-]{1,128}$/;

/** The caller's `X-Request-Id` when it is a sane token, which no log or header chokes on; else a new one (spec §1). */
export function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE_TOKEN.test(header) ? header : uuidv7();
}
