/** Returns a server's text in a form that the database accepts: NUL and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd');
}
