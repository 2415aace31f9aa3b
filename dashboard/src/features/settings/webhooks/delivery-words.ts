import type { Delivery } from '../../../api/types';
import type { IconName } from '../../../parts/icon';
import type { Tone } from '../../../parts/status';
import { shortTime } from '../../../parts/time';

interface DeliveryWords {
  word: string;
  tone: Tone;
  icon: IconName;
  /** What the last try brought, and what follows. */
  reason: string;
}

/** How a delivery went, in words. */
export function deliveryWords({ status, attempts, nextAttemptAt }: Delivery): DeliveryWords {
  const last = attempts.at(-1);
  const outcome = last === undefined ? 'Not tried yet' : outcomeOf(last);
  const tries = attempts.length > 1 ? ` after ${attempts.length} tries` : '';
  if (status === 'succeeded')
    return { word: 'Delivered', tone: 'resolved', icon: 'resolved', reason: `${outcome}${tries}` };
  if (status === 'failed')
    return { word: 'Failed', tone: 'danger', icon: 'error', reason: `${outcome}${tries}` };
  const next = nextAttemptAt === null ? '' : `; next try ${shortTime(nextAttemptAt)}`;
  return { word: 'Pending', tone: 'waiting', icon: 'clock', reason: `${outcome}${tries}${next}` };
}

function outcomeOf({ status, error, durationMs }: Delivery['attempts'][number]): string {
  // The error is a sentence of the service; what follows it here continues the line.
  if (error !== null) return error.replace(/\.$/u, '');
  return status === null ? 'No response' : `HTTP ${status} in ${durationMs} ms`;
}
