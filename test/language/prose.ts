/** One sentence or fragment of prose in a file. */
export interface Prose {
  line: number;
  text: string;
}

const WORDS = /[a-z]+ [a-z]+/i;

/** Returns the comments of a TypeScript or JavaScript file, and its string literals that contain a sentence. */
export function proseOfCode(source: string): Prose[] {
  const found: Prose[] = [];
  const tokens =
    /\/\*[\s\S]*?\*\/|(?<![:'"`\w/])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
  for (const { 0: token, index } of source.matchAll(tokens)) {
    const isComment = token.startsWith('/');
    if (!isComment && !WORDS.test(token)) continue;
    const first = source.slice(0, index).split('\n').length;
    const text = isComment ? token : token.replace(/\$\{[^}]*\}/g, '…');
    text.split('\n').forEach((line, at) => found.push({ line: first + at, text: line }));
    if (isComment) continue;
    for (const [, expression = ''] of token.matchAll(/\$\{([^}]*)\}/g))
      found.push(...proseOfCode(expression).map((prose) => ({ ...prose, line: first })));
  }
  return found;
}

/** Returns the lines of a Markdown file without its code blocks and code spans. */
export function proseOfMarkdown(source: string): Prose[] {
  let inBlock = false;
  return source.split('\n').flatMap((line, at) => {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) inBlock = !inBlock;
    return inBlock || isFence ? [] : [{ line: at + 1, text: line.replace(/`[^`]*`/g, '…') }];
  });
}
