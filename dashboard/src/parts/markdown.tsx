import { lexer, type Token, type Tokens } from 'marked';
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
  tokens?.map((token, index) => <Fragment key={index}>{block(token)}</Fragment>);

function block(token: Token): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p>{inlines(token.tokens)}</p>;
    case 'heading':
      return <h4>{inlines(token.tokens)}</h4>;
    case 'list':
      return list(token as Tokens.List);
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{blocks(token.tokens)}</blockquote>;
    case 'table':
      return table(token as Tokens.Table);
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
      return null;
    case 'text':
      return token.tokens ? inlines(token.tokens) : (token as Tokens.Text).text;
    default:
      return <p>{token.raw}</p>;
  }
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  const rows = items.map((item, index) => (
    <li key={index}>
      {item.task && (
        <input type="checkbox" checked={item.checked ?? false} readOnly disabled aria-label="Task" />
      )}
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
            {header.map((cell, index) => (
              <th key={index}>{inlines(cell.tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inlines(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const inlines = (tokens: Token[] | undefined): ReactNode =>
  tokens?.map((token, index) => <Fragment key={index}>{inline(token)}</Fragment>);

function inline(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens)}</strong>;
    case 'em':
      return <em>{inlines(token.tokens)}</em>;
    case 'del':
      return <del>{inlines(token.tokens)}</del>;
    case 'codespan':
      return <code>{unescaped((token as Tokens.Codespan).text)}</code>;
    case 'br':
      return <br />;
    case 'link':
    case 'image':
      return link(token as Tokens.Link | Tokens.Image);
    case 'text':
      return 'tokens' in token && token.tokens
        ? inlines(token.tokens)
        : unescaped((token as Tokens.Text).text);
    case 'escape':
      return (token as Tokens.Escape).text;
    default:
      return token.raw;
  }
}

function link({ href, text }: Tokens.Link | Tokens.Image): ReactNode {
  const url = webAddress(href);
  const words = unescaped(text) || href;
  if (url === null) return words;
  return (
    <a href={url.href} rel="noopener noreferrer nofollow" target="_blank">
      {words}
      {!words.includes(url.host) && <span className={styles.host}> ({url.host})</span>}
    </a>
  );
}

/** Only http and https addresses of other pages become links; `javascript:` and its like stay text. */
function webAddress(href: string): URL | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** The lexer escapes a few characters for HTML; React escapes by itself. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
