/** How many bytes of a file are looked at. */
export const BEGINNING_BYTES = 4_100;

/** Images that can't run script, each with the only ways it may begin: file-type skips over tags of other formats. */
const BEGINNINGS: Record<string, string[]> = {
  'image/png': ['\x89PNG\r\n\x1a\n'],
  'image/jpeg': ['\xff\xd8\xff'],
  'image/gif': ['GIF87a', 'GIF89a'],
  'image/webp': ['RIFF'],
};

/** What makes a file another one too, for whoever does not care what it says it is. */
const OTHER_FORMATS = /<!doctype|<\/?(?:html|head|body|script|svg|iframe|object|embed|style|math)\b|%PDF-/i;

/**
 * Whether a browser may show the file where it is (spec §5.4): its bytes are the PNG, JPEG, GIF or WebP that it
 * says it is. SVG never is: it can hold script.
 */
export async function isRasterImage(contentType: string, beginning: Buffer): Promise<boolean> {
  const text = beginning.toString('latin1');
  const ways = Object.hasOwn(BEGINNINGS, contentType) ? BEGINNINGS[contentType]! : [];
  if (!ways.some((way) => text.startsWith(way)) || OTHER_FORMATS.test(text)) return false;
  // Loaded with the first image: a start has no use for it.
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(beginning))?.mime === contentType;
}
