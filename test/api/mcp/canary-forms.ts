/** Returns the forms in which a value may occur in a text: plain, JSON, URL-encoded, base64 and hex. */
export const formsOf = (value: string): string[] => [
  ...[value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)],
  ...['base64', 'base64url', 'hex'].map((encoding) =>
    Buffer.from(value)
      .toString(encoding as BufferEncoding)
      .replace(/=+$/, '')
      .slice(0, -2),
  ),
];
