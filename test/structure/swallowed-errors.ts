/** Handlers that take no error: `.catch(() => …)`, the second function of `.then`, a listener for `error`. */
const HANDLER = /\.catch\(\(\) =>|^\s+\(\) => (undefined|null|false|\[\]|''),?$|'error', \(\) =>/;
const CATCH = /\bcatch \{/;
const COMMENT = /\/\/|\/\*|^\s*\*/;

/** Returns the numbers of the lines that swallow an error without a comment on the line itself or next to it. */
export function swallowedErrorsIn(source: string): number[] {
  const lines = source.split('\n');
  return lines.flatMap((line, at) => {
    const next = lines[at + 1] ?? '';
    if (CATCH.test(line))
      return COMMENT.test(next) || /^\s*(throw|return '|return `)/.test(next) ? [] : [at + 1];
    if (!HANDLER.test(line)) return [];
    return [line, lines[at - 1] ?? ''].some((near) => COMMENT.test(near)) ? [] : [at + 1];
  });
}
