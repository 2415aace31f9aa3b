/** Returns the longest beginning of a text that has at most so many bytes of UTF-8. No character is cut in two. */
export function cutToBytes(text: string, mostBytes: number): string {
  if (text.length * 3 <= mostBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostBytes));
  return text.slice(0, read);
}
