import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../api/types';
import { deliveryWords } from './webhook-screen';
import { typesOf } from './webhooks-screen';

const delivery = (part: Partial<Delivery>): Delivery => ({
  id: '1',
  webhookId: '2',
  eventId: '3',
  type: 'issue.created',
  status: 'succeeded',
  attempts: [{ at: '2026-11-22T09:00:00Z', status: 204, durationMs: 12, error: null }],
  nextAttemptAt: null,
  createdAt: '2026-11-22T09:00:00Z',
  ...part,
});

describe('typesOf', () => {
  it('separates by commas and spaces and drops repetitions', () => {
    expect(typesOf('issue.*, login.failed issue.*')).toEqual(['issue.*', 'login.failed']);
  });

  it('returns null, which means all, for an empty field', () => {
    expect(typesOf('  ')).toBeNull();
  });
});

describe('deliveryWords', () => {
  it('says what the target responded', () => {
    expect(deliveryWords(delivery({}))).toMatchObject({ word: 'Delivered', reason: 'HTTP 204 in 12 ms' });
  });

  it('counts the tries of one that failed', () => {
    const failed = {
      at: '2026-11-22T09:00:00Z',
      status: null,
      durationMs: 5000,
      error: 'The server could not be reached.',
    };
    expect(deliveryWords(delivery({ status: 'failed', attempts: [failed, failed] })).reason).toBe(
      'The server could not be reached after 2 tries',
    );
  });

  it('says when the next try is', () => {
    const pending = delivery({ status: 'pending', attempts: [], nextAttemptAt: '2026-11-22T09:05:00Z' });
    expect(deliveryWords(pending).reason).toMatch(/^Not tried yet; next try /);
  });
});
