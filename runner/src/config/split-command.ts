/**
 * Splits a command line into words like a shell, with quotes and backslashes. There are no variables, globs or pipes:
 * the command runs without a shell. @throws {Error} when a quote is not closed
 */
export function splitCommand(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '\\' && quote !== "'" && at + 1 < line.length) word = (word ?? '') + line.charAt((at += 1));
    else if (quote !== '') {
      if (char === quote) quote = '';
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + char;
  }
  if (quote !== '') throw new Error(`The quote ${quote} is not closed.`);
  return word === null ? words : [...words, word];
}
