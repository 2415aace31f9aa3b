import { expect, it } from '@jest/globals';
import { changesBetween } from './brief-changes.js';

const brief = (attachments: string[]) => ({ title: 't', description: 'd', priority: 1, attachments });
const ids = (count: number) => Array.from({ length: count }, (_, at) => `file ${at}`);

it('names what changed, and the files that were added', () => {
  expect(changesBetween({ ...brief(ids(2)), title: 'before' }, brief(ids(4)))).toEqual({
    changed: ['title', 'attachments'],
    newAttachmentIds: ['file 2', 'file 3'],
  });
});

// Compared each with each these took minutes, in which the service did nothing else.
it('takes the time of one pass over the files', () => {
  const [heard, present] = [brief(ids(500_000)), brief(ids(500_001))];
  expect(changesBetween(heard, present).newAttachmentIds).toEqual(['file 500000']);
});
