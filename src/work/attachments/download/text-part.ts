import { isUtf8 } from 'node:buffer';

/**
 * Returns the text at the beginning of a part of a file, up to the last whole character, with the number of its bytes.
 * Returns null where the bytes are not text in UTF-8.
 * @param isEnd whether the file ends with these bytes
 */
export function textPart(bytes: Buffer, isEnd: boolean): { text: string; size: number } | null {
  const whole = isEnd ? bytes : bytes.subarray(0, endOfCharacters(bytes));
  if (whole.includes(0) || !isUtf8(whole)) return null;
  return { text: whole.toString('utf8'), size: whole.length };
}

/** Whether a byte continues a character of UTF-8. */
export const continues = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the last character ends that is there as a whole; a character has at most 4 bytes. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const first = bytes.length - back;
    if (!continues(bytes[first])) return lengthOf(bytes[first]!) > back ? first : bytes.length;
  }
  return bytes.length;
}

/** The number of bytes of the character that begins with this one. */
function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
