import type { ApproverRole, Ask } from '../../api/types';
import type { Effective } from './effective-access';

/** `All 22 tools` or `7 of 22 tools`; `total` is null before the first listing. */
export function extentWords(tools: readonly string[] | null, total: number | null): string {
  if (tools === null) return total === null ? 'All tools' : `All ${total} tools`;
  return total === null ? `${tools.length} tools` : `${tools.length} of ${total} tools`;
}

/** Which calls a person approves first, and who that may be; null where no call needs it. */
export function askWords(ask: Ask, approver: ApproverRole): string | null {
  if (ask === null) return null;
  const who = `${approver}s${approver === 'Admin' ? '' : ' and above'} approve`;
  if (ask === 'writes') return `${who} each call that may change something`;
  return `${who} calls of ${ask.length === 1 ? ask[0] : `${ask.length} tools`}`;
}

/** Where a right comes from: `granted`, `by Writers`, `granted and by 2 profiles`. */
export function sourceWords({ isGranted, profiles }: Pick<Effective, 'isGranted' | 'profiles'>): string {
  if (profiles.length === 0) return 'granted';
  const by = profiles.length === 1 ? `by ${profiles[0]}` : `by ${profiles.length} profiles`;
  return isGranted ? `granted and ${by}` : by;
}
