/** A value as it may stand in a text: plain, in JSON, in a URL, in base64, in hex. */
export const formsOf = (value: string): string[] => [
  ...[value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)],
  ...['base64', 'base64url', 'hex'].map((encoding) =>
    Buffer.from(value)
      .toString(encoding as BufferEncoding)
      .replace(/=+$/, '')
      .slice(0, -2),
  ),
];
