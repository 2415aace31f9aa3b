import type { ServerStatus } from '../installed-server.entity.js';
import type { Verification } from './verification.js';

/** An enabled server that fails becomes `error`; ok on `error` gives `enabled`; `disabled` stays (spec §3.3). */
export function statusAfter(before: ServerStatus, { status }: Pick<Verification, 'status'>): ServerStatus {
  if (before === 'disabled') return 'disabled';
  return status === 'ok' ? 'enabled' : 'error';
}
