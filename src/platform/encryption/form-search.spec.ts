import { expect, it } from '@jest/globals';
import { FormSearch } from './masking.js';

/** Makes forms that count how often any of them is read. */
function countedForms(count: number) {
  const reads = { count: 0 };
  const forms = Array.from({ length: count }, (_, at) => ({
    lead: false,
    tail: false,
    get text() {
      reads.count += 1;
      return `form ${at} of a secret`;
    },
  }));
  return { forms, reads };
}

it('reads a form only where the text begins like it, however many forms there are', () => {
  const { forms, reads } = countedForms(5_000);
  const search = new FormSearch(forms);
  reads.count = 0;
  expect(search.in('some other words '.repeat(10_000))).toEqual([]);
  expect(reads.count).toBeLessThan(10);
  expect(search.in(`words form 4321 of a secret words`)).toEqual([{ start: 6, end: 27 }]);
  expect(reads.count).toBeLessThan(20);
});
