/** Splits a text at what the query has of it: every second part is one that matches. */
export function splitAt(text: string, query: string): string[] {
  const words = query.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0) return [text];
  // A longer word wins over its own beginning. Letters have no meaning in an expression, so none is escaped.
  const longestFirst = words.toSorted((a, b) => b.length - a.length).join('|');
  const spaced = `(?<![\\p{L}\\p{N}])(?:${longestFirst})`;
  const unspaced = `(?:${words.filter((word) => UNSPACED.test(word)).join('|') || '(?!)'})`;
  return text.split(new RegExp(`(${spaced}|${unspaced})`, 'giu'));
}

/** Scripts in which a word begins anywhere. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
