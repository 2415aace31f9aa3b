import { describe, expect, it } from 'vitest';
import { expiryOf, expiryState } from './api-keys';

const NOW = Date.parse('2026-11-22T09:00:00Z');

describe('expiryOf', () => {
  it('returns null for a key without an end', () => {
    expect(expiryOf('never', NOW)).toBeNull();
  });

  it('counts days from now', () => {
    expect(expiryOf('month', NOW)).toBe('2026-12-22T09:00:00.000Z');
  });
});

describe('expiryState', () => {
  it('separates keys that ended, end within a week, or later', () => {
    expect(expiryState(null, NOW)).toBe('none');
    expect(expiryState('2026-11-22T08:59:59Z', NOW)).toBe('ended');
    expect(expiryState('2026-11-28T09:00:00Z', NOW)).toBe('soon');
    expect(expiryState('2026-12-28T09:00:00Z', NOW)).toBe('later');
  });
});
