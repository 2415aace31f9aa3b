import { describe, expect, it } from '@jest/globals';
import type { AttachmentResponse } from '../../work/attachments/attachment.dto.js';
import type { CommentRow } from '../../work/comments/comment.repository.js';
import type { IssueAnswerResponse } from '../../work/gates/gate.response.js';
import type { IssueResponse } from '../../work/issue-reading/issue.response.js';
import {
  commentsFrom,
  issuePage,
  type Omitted,
  type PageStart,
  RESULT_CHARACTERS,
  type WholeOfIssue,
} from './result-pages.service.js';

interface Page {
  more: Omitted | null;
  issue: Partial<IssueResponse>;
  comments: { id: string; content: string; contentOffset?: number }[];
  attachments: AttachmentResponse[];
  answers?: IssueAnswerResponse[];
}

const uuid = (n: number) => `0199f0a0-7b1c-7c3e-9d55-${String(n).padStart(12, '0')}`;
const day = new Date('2026-11-25T08:00:00.000Z');
const issueOf = (fields: Partial<IssueResponse> = {}) =>
  ({
    id: uuid(0),
    key: 'A-1',
    title: 'Dig',
    description: '',
    links: [],
    ...fields,
  }) as unknown as IssueResponse;

/** Comments newest first: the highest number is the newest. */
const comments = (texts: string[]): CommentRow[] =>
  texts
    .map((content, n) => ({
      id: uuid(n + 1),
      issueId: uuid(0),
      content,
      authorType: 'User' as const,
      authorId: null,
      authorName: 'Ada',
      createdAt: day,
      updatedAt: day,
    }))
    .toReversed();

const page = (whole: Partial<WholeOfIssue>, start?: PageStart): Page => {
  const head = { key: 'A-1', id: uuid(0), leaseToken: 7 };
  const made = issuePage(head, { issue: issueOf(), comments: [], attachments: [], ...whole }, start);
  expect(JSON.stringify(made).length).toBeLessThanOrEqual(RESULT_CHARACTERS);
  expect(Object.keys(made).slice(0, 3)).toEqual(['key', 'id', 'leaseToken']);
  return made as Page;
};

/** Reads on while something is left out, as a model does. */
function readAll(whole: Partial<WholeOfIssue>): {
  description: string;
  links: number;
  texts: Map<string, string>;
} {
  let { more, issue, comments: shown } = page(whole);
  let [description, links, rounds] = [issue.description!, issue.links!.length, 0];
  const texts = new Map<string, string>();
  const add = (some: Page['comments']) => {
    for (const { id, content, contentOffset = 0 } of some) {
      expect(texts.get(id)?.length ?? 0).toBe(contentOffset);
      texts.set(id, (texts.get(id) ?? '') + content);
    }
  };
  add(shown);
  while (more?.descriptionOffset !== undefined || more?.commentsCursor || more?.linksOffset) {
    const { descriptionOffset, commentsCursor, linksOffset } = more;
    if (descriptionOffset !== undefined) {
      const next = page(whole, { descriptionOffset });
      description += next.issue.description!;
      more = { ...more, descriptionOffset: next.more?.descriptionOffset };
    } else if (linksOffset) {
      const next = page(whole, { linksOffset });
      links += next.issue.links!.length;
      more = { ...more, linksOffset: next.more?.linksOffset };
    } else {
      const from = commentsFrom(commentsCursor!);
      const at = whole.comments!.findIndex(({ id }) => id === from.id);
      ({ more, comments: shown } = page(
        { ...whole, comments: whole.comments!.slice(at) },
        { comments: from },
      ));
      add(shown);
    }
    expect((rounds += 1)).toBeLessThan(200);
  }
  return { description, links, texts };
}

describe('an issue that fits', () => {
  it('is shown whole, with its comments oldest first and nothing left out', () => {
    const whole = { issue: issueOf({ description: 'Deep.' }), comments: comments(['first', 'second']) };
    expect(page(whole)).toMatchObject({
      more: null,
      issue: { description: 'Deep.', links: [] },
      comments: [{ content: 'first' }, { content: 'second' }],
    });
  });
});

describe('an issue that is too long', () => {
  it('shows the newest comments, and the earlier ones page by page without a gap', () => {
    const texts = Array.from({ length: 250 }, (_, n) => `${n} ${'x"\n'.repeat(300)}`);
    const first = page({ comments: comments(texts) });
    expect(first.comments.at(-1)!.content).toBe(texts.at(-1));
    const all = readAll({ comments: comments(texts) });
    expect(all.texts.size).toBe(250);
    expect(all.texts.get(uuid(1))).toBe(texts[0]);
  });

  it('shows the description before the comments, and the rest of it by its offset', () => {
    const description = '😀"'.repeat(16_000);
    const whole = { issue: issueOf({ description }), comments: comments(['c'.repeat(65_000), 'd']) };
    expect(page(whole)).toMatchObject({ more: { descriptionOffset: expect.any(Number) }, comments: [] });
    const all = readAll(whole);
    expect(all.description).toBe(description);
    expect(all.texts.get(uuid(1))).toHaveLength(65_000);
  });

  it('shows parts of a comment that alone is longer than a result', () => {
    const text = '\u0001'.repeat(60_000);
    expect(readAll({ comments: comments([text]) }).texts.get(uuid(1))).toBe(text);
  });

  it('shows some of its links, files and answers, and names the rest', () => {
    const links = Array.from({ length: 300 }, (_, n) => ({
      id: uuid(n),
      target: { title: 't'.repeat(500) },
    }));
    const attachments = Array.from({ length: 100 }, (_, n) => ({ id: uuid(n), filename: 'f'.repeat(200) }));
    const answers = Array.from({ length: 100 }, (_, n) => ({ gateId: uuid(n), text: 'a'.repeat(n * 100) }));
    const whole = {
      issue: issueOf({ links: links as unknown as IssueResponse['links'] }),
      attachments: attachments as unknown as AttachmentResponse[],
      answers: answers as unknown as IssueAnswerResponse[],
    };
    const { more, attachments: files, answers: shown } = page(whole);
    expect(more).toMatchObject({ attachments: true, linksOffset: expect.any(Number) });
    expect(files.at(-1)!.id).toBe(uuid(99));
    expect(more!.answers).toHaveLength(100 - shown!.length);
    expect(readAll(whole).links).toBe(300);
  });
});
