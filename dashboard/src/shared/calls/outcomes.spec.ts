import { describe, expect, it } from 'vitest';
import { reasonOfCall } from './call-list';

describe('reasonOfCall', () => {
  it('says stable words as sentences, and shows a word that it does not know', () => {
    expect(reasonOfCall({ outcome: 'refused', reason: 'not_granted' })).toContain('no access');
    expect(reasonOfCall({ outcome: 'refused', reason: 'something_new' })).toBe('something_new');
  });

  it('says what a tool error is, which has no word', () => {
    expect(reasonOfCall({ outcome: 'tool_error', reason: null })).toContain('returned an error');
    expect(reasonOfCall({ outcome: 'ok', reason: null })).toBe('Done');
  });
});
