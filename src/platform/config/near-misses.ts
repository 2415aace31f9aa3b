/** Names as short as PORT and HOST have too many neighbours, such as PATH and HOME, for a distance of two. */
const SHORT_NAME = 7;

/**
 * Returns the known name that a name was probably meant to be, or null when it is known or resembles none. The letter
 * case does not count. The first letter must be right: SSL_CERT_FILE, which OpenSSL reads, is not TLS_CERT_FILE.
 */
export function nearMiss(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return null;
  const written = name.toUpperCase();
  const near = known.filter(
    (other) => other[0] === written[0] && distance(written, other) <= (other.length < SHORT_NAME ? 1 : 2),
  );
  return near.toSorted((a, b) => distance(written, a) - distance(written, b))[0] ?? null;
}

/** Returns how many characters must be inserted, deleted, replaced or swapped with their neighbour. */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 2) return Infinity;
  let [before, row]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[line - 1] === to[column - 1];
      const isSwapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      next.push(
        Math.min(
          row![column]! + 1,
          next[column - 1]! + 1,
          row![column - 1]! + (isSame ? 0 : 1),
          isSwapped && line > 1 ? before![column - 2]! + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row!.at(-1)!;
}
