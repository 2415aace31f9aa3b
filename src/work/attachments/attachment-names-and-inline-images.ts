const LONGEST = 255;
const LONGEST_EXTENSION = 20;
/** Control characters, lone surrogates, bidirectional controls, line and paragraph separators, and both slashes. */
const STRIPPED = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/gu;

/**
 * Returns the name of an attachment for display (contract §5.4). The name is data: nothing is found, stored or executed
 * by it. It has at most 255 characters and keeps its extension; it is `file` when no character is left.
 * @param sent as the client sent it
 */
export function attachmentNameOf(sent: string): string {
  const name = sent.replace(STRIPPED, '').trim();
  if (/^\.*$/.test(name)) return 'file';
  return shortened(name);
}

function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= LONGEST) return name;
  const dot = characters.lastIndexOf('.');
  const isExtension = dot > 0 && characters.length - dot <= LONGEST_EXTENSION;
  const extension = isExtension ? characters.slice(dot) : [];
  return [...characters.slice(0, LONGEST - extension.length), ...extension].join('');
}

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
