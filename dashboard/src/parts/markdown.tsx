import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { Fragment, memo, useMemo, type ReactNode } from 'react';
import styles from './markdown.module.css';

/**
 * Markdown that people and agents wrote, as React elements. Raw HTML is shown as text, images as links (nothing is
 * fetched from elsewhere), and a link says its host when its text does not, so that no text can pretend an address.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => lexer(text, { gfm: true, breaks: true }), [text]);
  return <div className={styles.prose}>{blocks(tokens)}</div>;
});

const blocks = (tokens: Token[] | undefined): ReactNode =>
  tokens?.map((token, index) => <Fragment key={index}>{block(token as MarkedToken)}</Fragment>);

function block(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p>{inlines(token.tokens)}</p>;
    case 'heading':
      return heading(token);
    case 'list':
      return list(token);
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{blocks(token.tokens)}</blockquote>;
    case 'table':
      return table(token);
    case 'hr':
      return <hr />;
    case 'html':
      return <p className={styles.raw}>{token.text.trimEnd()}</p>;
    case 'space':
    case 'def':
      return null;
    default:
      // The text of a tight list item is inline.
      return inline(token);
  }
}

/** Titles of the page are above those of a text. */
function heading({ depth, tokens }: Tokens.Heading): ReactNode {
  const Level = (['h3', 'h4', 'h5'] as const)[depth - 1] ?? 'h6';
  return <Level>{inlines(tokens)}</Level>;
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  const rows = items.map((item, index) => (
    <li key={index} className={item.task ? styles.task : undefined}>
      {blocks(item.tokens)}
    </li>
  ));
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>;
}

function table({ header, rows }: Tokens.Table): ReactNode {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map(({ tokens, align }, index) => (
              <th key={index} data-align={align ?? undefined}>
                {inlines(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map(({ tokens, align }, column) => (
                <td key={column} data-align={align ?? undefined}>
                  {inlines(tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const inlines = (tokens: Token[] | undefined): ReactNode =>
  tokens?.map((token, index) => <Fragment key={index}>{inline(token as MarkedToken)}</Fragment>);

function inline(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens)}</strong>;
    case 'em':
      return <em>{inlines(token.tokens)}</em>;
    case 'del':
      return <del>{inlines(token.tokens)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'checkbox':
      return <input type="checkbox" checked={token.checked} readOnly disabled aria-label="Task" />;
    case 'link':
      return link(token, inlines(token.tokens));
    case 'image':
      return link(token, plainText(token.tokens) || decoded(token.href));
    case 'html':
      return LINE_BREAK.test(token.text) ? <br /> : token.text;
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? inlines(token.tokens) : decoded(token.text);
    default:
      // A test renders every example of CommonMark and GFM, and finds nothing that comes here.
      return <span data-unknown={token.type}>{token.raw}</span>;
  }
}

/** Agents break lines in cells of tables by it. */
const LINE_BREAK = /^<br\s*\/?>$/i;

function link({ href, tokens }: Tokens.Link | Tokens.Image, words: ReactNode): ReactNode {
  const url = webAddress(decoded(href));
  if (url === null) return words;
  // An image in the text of a link would be a link in a link.
  const text = hasLink(tokens) ? plainText(tokens) : words;
  return (
    <a href={url.href} rel="noopener noreferrer nofollow" target="_blank">
      {text}
      {!beginsWithHost(plainText(tokens), url.host) && <span className={styles.host}> ({url.host})</span>}
    </a>
  );
}

const hasLink = (tokens: Token[]): boolean =>
  tokens.some(
    (token) =>
      token.type === 'image' || token.type === 'link' || ('tokens' in token && hasLink(token.tokens!)),
  );

const plainText = (tokens: Token[]): string =>
  tokens
    .map((token) => {
      if ('tokens' in token && token.tokens) return plainText(token.tokens);
      return 'text' in token ? decoded(String(token.text)) : '';
    })
    .join('');

/** Whether a text reads like an address of this host. One that only has it somewhere, as in `good.com/?bad.com`, does not. */
function beginsWithHost(text: string, host: string): boolean {
  const address = text.trim().replace(/^https?:\/\//i, '');
  return address.startsWith(host) && /^($|[/?#])/.test(address.slice(host.length));
}

/** Only http and https addresses of other pages become links; `javascript:` and its like stay text. */
function webAddress(href: string): URL | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** The names of characters that people write. Others stay as they are written. */
const CHARACTERS: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', trade: '™' },
  ...{ hellip: '…', mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bull: '•' },
  ...{ middot: '·', times: '×', divide: '÷', plusmn: '±', deg: '°', micro: 'µ', para: '¶', sect: '§' },
  ...{ larr: '←', uarr: '↑', rarr: '→', darr: '↓', harr: '↔', le: '≤', ge: '≥', ne: '≠', asymp: '≈' },
  ...{ euro: '€', pound: '£', yen: '¥', cent: '¢', frac12: '½', frac14: '¼', frac34: '¾', infin: '∞' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', check: '✓' },
};

/** Replaces references such as `&amp;` and `&#35;`, which the lexer leaves to whoever writes HTML. */
function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]*));/gi, (whole, ten, sixteen, name) => {
    if (name !== undefined) return CHARACTERS[name] ?? whole;
    const point = ten === undefined ? Number.parseInt(sixteen, 16) : Number.parseInt(ten, 10);
    const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : '\ufffd';
  });
}
