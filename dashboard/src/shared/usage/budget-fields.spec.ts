import { describe, expect, it } from 'vitest';
import { bodyOfFields, fieldsOf } from './queries';

const none = { tokens: 0, costMicros: 0, turns: 0, toolCalls: 0, wallSeconds: 0 };
const budget = {
  ...{ tokens: 2_000_000, costMicros: 5_500_000, turns: null, toolCalls: null, wallSeconds: 36_000 },
  period: 'month' as const,
  used: none,
  extended: none,
  startsOn: null,
  stopped: false,
  gateId: null,
};

describe('the fields of a budget', () => {
  it('show limits in the units that people type, and give the same limits back', () => {
    const fields = fieldsOf(budget);
    expect(fields).toMatchObject({ tokens: '2000', costMicros: '5.5', turns: '', wallSeconds: '10' });
    expect(bodyOfFields(fields)).toEqual({
      tokens: 2_000_000,
      costMicros: 5_500_000,
      wallSeconds: 36_000,
      period: 'month',
    });
  });

  it('mean no budget when all are empty', () => {
    const empty = { tokens: '', costMicros: ' ', turns: '', toolCalls: '', wallSeconds: '' };
    expect(bodyOfFields({ ...empty, period: 'day' })).toBeNull();
  });
});
