/** A text of a server in a form that the database takes: NUL and halves of surrogate pairs become U+FFFD. */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd');
}
