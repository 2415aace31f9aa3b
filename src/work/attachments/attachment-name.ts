const LONGEST = 255;
const LONGEST_EXTENSION = 20;
/** Controls, halves of surrogate pairs, marks that turn the direction of what follows, ends of lines and paragraphs, and both slashes. */
const STRIPPED = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/gu;

/**
 * The name of an attachment as people see it (spec §5.4). It is data: nothing is ever found, stored or run by
 * it. At most 255 characters, of which the extension is kept; `file` where nothing is left.
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
