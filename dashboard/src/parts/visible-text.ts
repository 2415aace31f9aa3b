/** Control and format characters, except those that lay text out: they change how it looks without being seen. */
const INVISIBLE = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Replaces invisible characters by a marker with their code point, so that a text cannot pretend to be another. */
export function visible(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
