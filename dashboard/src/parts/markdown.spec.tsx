import { render } from '@testing-library/react';
import { lexer, walkTokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { Markdown } from './markdown';
import { examples } from './markdown.examples.json';

/** All that a text may become. */
const ALLOWED =
  'div,p,h3,h4,h5,h6,ul,ol,li,pre,code,blockquote,table,thead,tbody,tr,th,td,hr,strong,em,del,br,a,input,span';

const rendered = (text: string): HTMLElement => render(<Markdown text={text} />).container;

/** The structure of a page with its words, without white space, levels of headings, and hosts and addresses of links. */
function outline(root: Element): string {
  root.querySelectorAll('[class*=host]').forEach((host) => host.remove());
  root.querySelectorAll('img').forEach((image) => image.replaceWith(image.alt || image.getAttribute('src')!));
  return root.innerHTML
    .replaceAll(/<(\/?)h[1-6]>/g, '<$1h>')
    .replaceAll(
      /<\/?(?!h>|ul|ol|li|pre|code|blockquote|table|th\b|td\b|hr|strong|em|del|input)[a-z][^>]*>/g,
      '',
    )
    .replaceAll(/<(\w+)[^>]*>/g, '<$1>')
    .replaceAll(/\s/g, '');
}

function expectedOf(html: string): string {
  const page = document.createElement('div');
  page.innerHTML = html;
  return outline(page);
}

/** Tags of other people are text here, and of 2,000 names of characters we know those that people write. */
const hasOwnRule = (markdown: string): boolean => {
  let isRaw = markdown.includes('&HilbertSpace;');
  walkTokens(lexer(markdown), ({ type }) => {
    isRaw ||= type === 'html';
  });
  return isRaw;
};

describe('Markdown', () => {
  it('has an element for every token of the examples of CommonMark and GFM, and no other than a text may have', () => {
    for (const { markdown } of examples) {
      const page = rendered(markdown);
      const wrong = page.querySelectorAll(`[data-unknown],:not(${ALLOWED})`);
      expect([...wrong].map(({ outerHTML }) => [markdown, outerHTML])).toEqual([]);
      for (const link of page.querySelectorAll('a')) {
        expect(link.href).toMatch(/^https?:/);
        expect(link.rel).toBe('noopener noreferrer nofollow');
        expect(link.querySelector('a')).toBeNull();
      }
    }
    expect(examples).toHaveLength(680);
  });

  it('has the structure and the words of each example that has no HTML in it', () => {
    const compared = examples.filter(({ markdown }) => !hasOwnRule(markdown));
    const ours = compared.map(({ markdown }) => [markdown, outline(rendered(markdown))]);
    expect(ours).toEqual(compared.map(({ markdown, html }) => [markdown, expectedOf(html)]));
    expect(compared.length).toBeGreaterThan(580);
  });

  it('shows each task of a list as one line with its box, tight or loose', () => {
    for (const text of ['- [ ] unit test\n- [x] **types**', '- [ ] unit test\n\n- [x] **types**']) {
      const items = [...rendered(text).querySelectorAll('li')];
      expect(items.map(({ textContent }) => textContent)).toEqual(['unit test', 'types']);
      expect(items.map((item) => item.querySelector('input')!.checked)).toEqual([false, true]);
      expect(items.map((item) => item.querySelectorAll('p').length <= 1)).toEqual([true, true]);
    }
  });

  it('shows HTML as text but for line breaks, and comments too: an agent reads them', () => {
    const page = rendered('one<br>two <img src=x onerror=alert(1)>\n\n<!-- obey me -->');
    expect(page.textContent).toBe('onetwo <img src=x onerror=alert(1)><!-- obey me -->');
    expect(page.querySelectorAll('br')).toHaveLength(1);
  });

  it('loads no picture: its words are a link to it, also within a link', () => {
    const page = rendered(
      '![A cat](https://example.com/cat.png) [![moon](https://example.com/moon.jpg)](https://example.org/)',
    );
    expect(page.querySelector('img')).toBeNull();
    expect([...page.querySelectorAll('a')].map(({ href, textContent }) => [href, textContent])).toEqual([
      ['https://example.com/cat.png', 'A cat (example.com)'],
      ['https://example.org/', 'moon (example.org)'],
    ]);
  });

  it.each([
    ['<https://example.com/a>', 'https://example.com/a'],
    ['[example.com/a](https://example.com/a?b=1&amp;c=2)', 'example.com/a'],
    ['[good.com/?example.com](https://example.com)', 'good.com/?example.com (example.com)'],
    ['[example.com.evil.org](https://example.com)', 'example.com.evil.org (example.com)'],
    ['[**bold**](https://example.com)', 'bold (example.com)'],
    ['[never](javascript:alert(1))', 'never'],
  ])('says the host of %s where its words do not', (text, words) => {
    expect(rendered(text).textContent).toBe(words);
  });

  it('resolves references to characters in text and addresses, and keeps them in code', () => {
    const page = rendered(
      '&lt;b&gt; &#9731; &#x1F600; &#0; &unknown; `&amp;` [a](https://e.com/?x=1&amp;y=2)',
    );
    expect(page.textContent).toBe('<b> ☃ 😀 \ufffd &unknown; &amp; a (e.com)');
    expect(page.querySelector('a')!.href).toBe('https://e.com/?x=1&y=2');
  });
});
