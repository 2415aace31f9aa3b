import { describe, expect, it } from 'vitest';
import { viewOf } from './files';

describe('a file', () => {
  it.each([
    ['shot.png', 'image/png', 'picture'],
    ['shot.png', 'image/png; charset=binary', 'picture'],
    ['run.jsonl', 'application/x-ndjson', 'text'],
    ['totals.csv', 'text/csv', 'text'],
    ['main.rs', 'application/octet-stream', 'text'],
    // A vector image may have scripts, so its source is shown.
    ['logo.svg', 'image/svg+xml', 'text'],
    ['page.html', 'text/html', 'text'],
    ['archive.zip', 'application/zip', 'none'],
    ['report.pdf', 'application/pdf', 'none'],
  ])('%s of the type %s is shown as %s', (filename, contentType, view) => {
    expect(viewOf({ filename, contentType })).toBe(view);
  });
});
