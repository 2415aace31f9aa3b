import { ExactNumber } from '../json/exact-json.js';

/**
 * Characters that a model reads and a person does not see, by the properties of Unicode: controls, format characters (tags,
 * bidi), private use, what is ignored by default (variation selectors, fillers), and every blank but those that people type.
 * The blank of braille has none of these properties.
 */
const INVISIBLE =
  /(?![ \t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]/gu;
/** Part of ordinary text in many languages between two characters that can be seen: joiners, and the ideographic blank. */
const BETWEEN = new Set(['\u200c', '\u200d', '\u3000']);
/** Chooses between the two forms of an emoji or of a key cap, and says nothing else. */
const FORM = /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)/uy;

/**
 * Returns a text with each invisible character as its escape, like `\\u{e0041}`, so that the person who approves a tool
 * sees all that an agent reads.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character, at: number) =>
    isOrdinary(character, text, at) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

function isOrdinary(character: string, text: string, at: number): boolean {
  if (BETWEEN.has(character)) return isSeen(text, at - 1) && isSeen(text, at + 1);
  return isForm(text, at);
}

/** Whether half a pair or a character beyond ASCII can be seen; the form of an emoji is seen with it. */
function isSeen(text: string, at: number): boolean {
  const character = text.charAt(at);
  return character > '\x7f' && (character.search(INVISIBLE) < 0 || isForm(text, at));
}

function isForm(text: string, at: number): boolean {
  FORM.lastIndex = at;
  return FORM.test(text);
}

/** Returns a value in which every `title` and `description`, at any depth, is visible. Other members stay as they are. */
export function withVisibleDescriptions<T>(value: T): T {
  return copied(value) as T;
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      typeof item === 'string' && (name === 'description' || name === 'title')
        ? visibleText(item)
        : copied(item),
    ]),
  );
}
