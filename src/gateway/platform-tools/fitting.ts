/** The most characters of a result that shows issues to an agent: clients cut or refuse longer ones (contract §7.4). */
export const RESULT_CHARACTERS = 40_000;

/** What a list takes beside its elements: its cursor. */
export const FRAME_CHARACTERS = 500;

/** Returns how many characters a value takes in the JSON of a result, with the comma after it. */
export function sizeOf(value: unknown): number {
  return JSON.stringify(value).length + 1;
}

/** Returns the longest beginning of a text whose JSON takes at most so many characters. It cuts no character in two. */
export function fittingText(text: string, room: number): string {
  if (sizeOf(text) <= room) return text;
  let [fits, tooLong] = [0, Math.max(1, Math.min(text.length, room))];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (sizeOf(wholeCharacters(text, middle)) <= room) fits = middle;
    else tooLong = middle;
  }
  return wholeCharacters(text, fits);
}

/** Returns as many of the first values as fit. */
export function fittingFirst<T>(values: readonly T[], room: number): T[] {
  let left = room;
  const end = values.findIndex((value) => (left -= sizeOf(value)) < 0);
  return values.slice(0, end === -1 ? values.length : end);
}

/** Returns as many of the last values as fit, in their order. */
export function fittingLast<T>(values: readonly T[], room: number): T[] {
  return fittingFirst(values.toReversed(), room).toReversed();
}

/** A half of a surrogate pair takes more JSON than the pair, so it is left out before a text is measured. */
function wholeCharacters(text: string, end: number): string {
  const cutsPair = end > 0 && end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1]!);
  return text.slice(0, cutsPair ? end - 1 : end);
}
