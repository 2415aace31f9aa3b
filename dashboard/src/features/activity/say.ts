/** A sentence in parts: plain words, and values that the page emphasises. */
export type Sentence = readonly { text: string; strong: boolean }[];

/** Makes a sentence of a template; values become strong parts. An absent value leaves nothing. */
export function say(strings: TemplateStringsArray, ...values: (string | Sentence | null)[]): Sentence {
  return strings.flatMap((text, index) => {
    const value = values[index] ?? null;
    const words = { text, strong: false };
    if (value === null) return [words];
    return typeof value === 'string' ? [words, { text: value, strong: true }] : [words, ...value];
  });
}

/** Joins names as in a list: `a`, `a and b`, `a, b and 3 more`. */
export function listed(names: readonly string[]): string {
  if (names.length <= 2) return names.join(' and ');
  const rest = names.length - 2;
  return `${names[0]}, ${names[1]} and ${rest} more`;
}

/** The sentence as plain text. */
export const plain = (sentence: Sentence): string => sentence.map(({ text }) => text).join('');
