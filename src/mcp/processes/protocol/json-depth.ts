import { ExactNumber } from '../../../platform/json/exact-number.js';

/** True where a parsed value nests deeper than `limit` levels; looks no deeper than that. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
  return limit === 0 || Object.values(value).some((member) => isDeeperThan(member, limit - 1));
}
