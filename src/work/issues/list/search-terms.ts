/** One term of a search, as the function `search_terms` of the database makes it of a text. */
export interface SearchTerm {
  text: string;
  /** Whether words that begin with it match as well: the person may still be typing it. */
  isBeginning: boolean;
}

/** A single character joins the words beside it (`1.2.3`, `src/main.ts`, `PAY-1771`), which are then found in this order. */
const JOINERS = '@/:.+#_-';
/** Scripts that write words without spaces, and signs: a text is found by each pair of neighbours. */
const UNSPACED =
  '\\u0e01-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u30fa' +
  '\\u30fc-\\u9fff\\uac00-\\ud7ff\\uf900-\\ufaff\\u{1f000}-\\u{1faff}\\u{20000}-\\u{3ffff}';
const SEPARATORS =
  '\\u0001-"$-*,;-?[-^`{-\\u00bf\\u00d7\\u00f7\\u2000-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2e00-\\u2e7f\\u3000-\\u3004' +
  '\\u3008-\\u3020\\u3030\\u30fb\\ufe00-\\ufe6f\\ufeff\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u0589\\u05be\\u05c3';

const separators = new RegExp(`[${SEPARATORS}]+`, 'gu');
const joiners = new RegExp(`[${JOINERS}]`, 'gu');
const unspaced = new RegExp(`[${UNSPACED}]`, 'u');
const pieces = new RegExp(`[${UNSPACED}]+|[^ ${UNSPACED}]+`, 'gu');

/** The database cuts longer words and pairs here. */
const WORD_LENGTH = 200;
const PAIR_LENGTH = 400;

/**
 * The terms that a text must all have for `q` to find it, none when `q` has no letter, digit or sign. The last word may be
 * a beginning, of at least two characters: words that begin with one letter are in nearly every issue.
 */
export function searchTerms(q: string): SearchTerm[] {
  const found = folded(q).replace(separators, ' ').match(pieces) ?? [];
  const terms = found.flatMap((piece) => (unspaced.test(piece) ? pairsOfSigns(piece) : wordsAndPairs(piece)));
  const last = terms.at(-1);
  if (last && !unspaced.test(last.text)) last.isBeginning = [...last.text].length > 1;
  return terms;
}

/**
 * The terms as a `tsquery`, which needs no escapes: quotes and backslashes separate words.
 * @param mark the beginning of the lexemes to look for, where they are not those of the whole text
 */
export function queryOf(terms: readonly SearchTerm[], mark = ''): string {
  return terms.map(({ text, isBeginning }) => `'${mark}${text}'${isBeginning ? ':*' : ''}`).join(' & ');
}

/** Folds case in every script, and the widths and compositions that Unicode calls compatible. */
function folded(text: string): string {
  const lower = text.normalize('NFKC').toUpperCase().toLowerCase();
  return lower.replaceAll('ς', 'σ').replaceAll('\u0307', '');
}

/** Each pair of neighbours; a single sign is the beginning of a pair, or stands at the end of a run. */
function pairsOfSigns(run: string): SearchTerm[] {
  const signs = [...run];
  if (signs.length === 1) return [{ text: run, isBeginning: true }];
  return signs.slice(1).map((sign, index) => ({ text: `${signs[index]}${sign}`, isBeginning: false }));
}

/** The pairs of joined words, which hold the words themselves, and the words that nothing joins. */
function wordsAndPairs(piece: string): SearchTerm[] {
  const parts = piece.replace(joiners, ' $&').split(' ');
  const words = parts.map((part, index) => (index === 0 ? part : part.slice(1)));
  return words.flatMap((word, index) => {
    if (word === '') return [];
    if (words[index - 1]) return [exact(`${words[index - 1]}${parts[index]}`, PAIR_LENGTH)];
    return words[index + 1] ? [] : [exact(word, WORD_LENGTH)];
  });
}

const exact = (text: string, length: number): SearchTerm => ({
  text: [...text].slice(0, length).join(''),
  isBeginning: false,
});
