import { ExactNumber } from '../../../../platform/json/exact-number.js';
import { storableText } from '../../../../mcp/installed-servers/storable-text.js';

type Loose = Record<string, unknown>;

/** The largest result in bytes that is kept for the agent. */
const MOST_BYTES = 262_144;

/** Returns a result in a form that the database accepts: cut where it is too large, without NUL and lone surrogates. */
export function storedResult(result: Loose): Loose {
  const stored = storable(result) as Loose;
  return Buffer.byteLength(JSON.stringify(stored)) > MOST_BYTES ? cut(stored) : stored;
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [storableText(name), storable(item)]),
  );
}

/** Keeps the beginning of the texts: half a picture or half of structured content is of no use. */
function cut({ content, isError }: Loose): Loose {
  const texts = (Array.isArray(content) ? (content as Loose[]) : [])
    .map(({ text }) => text)
    .filter((text) => typeof text === 'string');
  // A character has at most 6 bytes in JSON.
  const text = storableText(texts.join('\n').slice(0, Math.floor(MOST_BYTES / 6) - 100));
  const note = `The result was larger than ${MOST_BYTES / 1024} KiB: this is the beginning of its text.`;
  return {
    content: [
      { type: 'text', text },
      { type: 'text', text: note },
    ],
    ...(isError === true && { isError }),
  };
}
