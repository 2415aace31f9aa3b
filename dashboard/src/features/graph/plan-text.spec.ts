import { describe, expect, it } from 'vitest';
import { readPlan } from './plan-text';

describe('a plan as a Markdown list', () => {
  it('is read with names, blockers, descriptions and nested items', () => {
    const text = [
      '# Release 2',
      '',
      '- Build the packages {#build}',
      '  All of them, signed.',
      '',
      '  ```sh',
      '  - npm pack',
      '  ```',
      '- [ ] Write the notes {#notes} after: build, DOCS-7',
      '  1. Collect the fixes',
      '  2. Sort them [blocked by 2.1]',
      '* Publish (after: notes, #build)',
    ].join('\n');
    expect(readPlan(text)).toEqual({
      issues: [
        {
          ref: 'build',
          title: 'Build the packages',
          description: 'All of them, signed.\n\n```sh\n- npm pack\n```',
        },
        { ref: 'notes', title: 'Write the notes', blockedBy: ['build', 'DOCS-7'] },
        { ref: '2.1', title: 'Collect the fixes', parent: 'notes' },
        { ref: '2.2', title: 'Sort them', parent: 'notes', blockedBy: ['2.1'] },
        { ref: '3', title: 'Publish', blockedBy: ['notes', 'build'] },
      ],
      lines: [3, 9, 10, 11, 12],
      problems: [],
    });
  });

  it.each([
    ['after: a, b', ['a', 'b']],
    ['(after: a)', ['a']],
    ['[after: a]', ['a']],
    ['[blocked by a,b]', ['a', 'b']],
    ['[Blocked by: a]', ['a']],
  ])('has its blockers in %s', (end, blockedBy) => {
    expect(readPlan(`- Title ${end}`).issues).toEqual([{ ref: '1', title: 'Title', blockedBy }]);
  });

  it.each([
    'Clean up (after the release)',
    'Look after it',
    'Thereafter: rest',
    'Use {} and {#}',
    'Fix #12: crash',
  ])('keeps a title that only looks like one: %s', (title) => {
    expect(readPlan(`- ${title}`).issues).toEqual([{ ref: '1', title }]);
  });

  it('has its problems at their lines', () => {
    expect(readPlan('Text\n- {#a}').problems).toEqual([
      { line: 1, message: 'Begin with a list item, such as “- Write the notes”.' },
      { line: 2, message: 'The item has no title.' },
    ]);
    expect(readPlan(' \n').problems).toEqual([{ line: null, message: 'The text has no list item.' }]);
  });

  it('counts a tab as four spaces', () => {
    expect(readPlan('- a\n\t- b\n    - c\n- d').issues.map(({ ref, parent }) => [ref, parent])).toEqual([
      ['1', undefined],
      ['1.1', '1'],
      ['1.2', '1'],
      ['2', undefined],
    ]);
  });
});

describe('a plan as JSON', () => {
  const issues = [{ ref: 'a', title: 'A', priority: 'high' }];

  it('is sent as it is, as a list or as the body of a request', () => {
    for (const value of [issues, { issues }])
      expect(readPlan(JSON.stringify(value))).toEqual({ issues, lines: [], problems: [] });
  });

  it.each(['{', '{"plan": []}', '[{]'])('says what is wrong with %s', (text) => {
    expect(readPlan(text)).toEqual({
      issues: [],
      lines: [],
      problems: [{ line: null, message: expect.stringMatching(/JSON/) }],
    });
  });
});
