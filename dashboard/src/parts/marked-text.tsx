import styles from './marked-text.module.css';

/** A stretch of text that can be shown as it is, or one character that has to be shown by its marker. */
type TextPiece = { text: string } | { marker: string; name: string };

/**
 * Characters that show nothing or reorder what stands around them: controls but tab and line feed, soft hyphen, fillers,
 * zero-width and bidirectional characters, variation selectors, tags.
 */
const HIDDEN: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const PICTOGRAM = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/u;

const names: Record<string, string> = {
  '200B': 'zero width space',
  '200C': 'zero width non-joiner',
  '200D': 'zero width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202C': 'pop directional formatting',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  '2069': 'pop directional isolate',
  FEFF: 'zero width no-break space',
};

/** Splits a text, so that every invisible or bidirectional character is replaced by its marker. */
export function piecesOf(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  const characters = [...text.replaceAll('\r\n', '\n')];
  let plain = '';
  characters.forEach((character, at) => {
    if (!isHidden(character) || belongsToPictogram(character, characters[at - 1], characters[at + 1])) {
      plain += character;
      return;
    }
    if (plain !== '') pieces.push({ text: plain });
    plain = '';
    pieces.push(markerOf(character));
  });
  if (plain !== '') pieces.push({ text: plain });
  return pieces;
}

function isHidden(character: string): boolean {
  const code = character.codePointAt(0)!;
  return HIDDEN.some(([first, last]) => code >= first && code <= last);
}

/** The emoji selector and the joiner are part of a pictogram between pictograms, and hidden anywhere else. */
function belongsToPictogram(character: string, before = '', after = ''): boolean {
  if (character === '\uFE0F')
    return before !== '\uFE0F' && (PICTOGRAM.test(before) || /[#*0-9]/.test(before));
  return character === '\u200D' && PICTOGRAM.test(before) && /\p{Extended_Pictographic}/u.test(after);
}

function markerOf(character: string): TextPiece {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return { marker: `U+${code}`, name: names[code] ?? 'invisible character' };
}

/** A text from a server or an agent, as plain text: what would be invisible or change the reading order has a marker. */
export function MarkedText({ text }: { text: string }) {
  return (
    <bdi className={styles.text}>
      {piecesOf(text).map((piece, index) =>
        'text' in piece ? (
          piece.text
        ) : (
          <mark key={index} className={styles.marker} title={piece.name}>
            {piece.marker}
            <span className="sr-only"> {piece.name}</span>
          </mark>
        ),
      )}
    </bdi>
  );
}
