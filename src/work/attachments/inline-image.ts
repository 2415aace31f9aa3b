/** How many bytes at the beginning of a file are examined. */
export const BEGINNING_BYTES = 4_100;

/** Image types that cannot run script, with the only beginnings accepted: file-type skips over tags of other formats. */
const BEGINNINGS: Record<string, string[]> = {
  'image/png': ['\x89PNG\r\n\x1a\n'],
  'image/jpeg': ['\xff\xd8\xff'],
  'image/gif': ['GIF87a', 'GIF89a'],
  'image/webp': ['RIFF'],
};

/** Marks of another format in the same file, which a lenient reader would honour. */
const OTHER_FORMATS = /<!doctype|<\/?(?:html|head|body|script|svg|iframe|object|embed|style|math)\b|%PDF-/i;

/**
 * Returns whether a browser may show the file inline (contract §5.4): its bytes are the PNG, JPEG, GIF or WebP that its
 * content type names. SVG never qualifies, since it can contain script.
 */
export async function isInlineImage(contentType: string, beginning: Buffer): Promise<boolean> {
  const text = beginning.toString('latin1');
  const ways = Object.hasOwn(BEGINNINGS, contentType) ? BEGINNINGS[contentType]! : [];
  if (!ways.some((way) => text.startsWith(way)) || OTHER_FORMATS.test(text)) return false;
  // Loaded with the first image, since the start does not need it.
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(beginning))?.mime === contentType;
}
