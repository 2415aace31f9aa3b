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
