const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns the longest beginning of a text that has at most so many bytes of UTF-8. No character is cut in two. The result
 * is a copy: a slice would keep the whole text in memory for as long as the slice is kept.
 */
export function cutToBytes(text: string, mostBytes: number): string {
  if (text.length * 3 <= mostBytes) return text;
  const bytes = new Uint8Array(mostBytes);
  const { read, written } = new TextEncoder().encodeInto(text, bytes);
  return read === text.length ? text : UTF8.decode(bytes.subarray(0, written));
}
