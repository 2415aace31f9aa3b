/** The characters that common encoders leave unescaped. The last entry escapes everything. */
const KEPT_BY_URL_ENCODERS = [
  /[\w.!~*'()-]/, // encodeURIComponent
  /[\w.!~*'();,/?:@&=+$#-]/, // encodeURI
  /[\w.~-]/, // RFC 3986: Go, PHP
  /[\w.~/-]/, // Python's quote
  /[\w.*-]/, // HTML forms, where a space becomes a plus
  /[^\s\S]/,
];

const PERCENT_ESCAPES = Array.from(
  { length: 256 },
  (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
);

/**
 * One form in which a text may hold a secret. `lead` and `tail` are set on the inner part of a base64 form: the character
 * before or after it holds some bits of the secret too and is masked with it.
 */
export interface SecretForm {
  text: string;
  lead: boolean;
  tail: boolean;
}

/** Shorter values are not masked (contract §3.3), because ordinary words would disappear with them. */
export const LEAST_CHARACTERS = 8;

/**
 * Returns every form in which `secret` is searched: plain, JSON-escaped, URL-encoded, hex and base64. A multi-line value
 * is also searched line by line, because a log is split into lines before it is masked. Parts of less than
 * `LEAST_CHARACTERS` are left out.
 */
export function formsOf(secret: string): SecretForm[] {
  const parts = new Set([secret, ...secret.split(/[\r\n]+/).map((line) => line.trim())]);
  return [...parts].filter((part) => [...part].length >= LEAST_CHARACTERS).flatMap(formsOfPart);
}

function formsOfPart(part: string): SecretForm[] {
  const literals = new Set([
    part,
    ...jsonForms(part),
    ...markupForms(part),
    ...urlForms(part),
    ...hexForms(part),
  ]);
  return [...[...literals].map((text) => ({ text, lead: false, tail: false })), ...base64Forms(part)];
}

/**
 * Returns JSON as JavaScript writes it, once and as JSON within JSON, twice over, in ASCII as Python writes it, and as Go
 * and PHP do.
 */
function jsonForms(part: string): string[] {
  const once = inJson(part);
  const twice = inJson(once);
  const ascii = once.replace(/[^\0-\x7f]/g, unicodeEscape);
  return [
    once,
    twice,
    inJson(twice),
    ascii,
    once.replace(/[<>&]/g, unicodeEscape),
    once.replaceAll('/', String.raw`\/`),
    ascii.replaceAll('/', String.raw`\/`),
  ];
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns HTML and XML: of a text, of an attribute, and with each of the usual references to an apostrophe. */
function markupForms(part: string): string[] {
  const text = part.replace(/[&<>]/g, (character) => ENTITIES[character]!);
  const attribute = text.replaceAll('"', ENTITIES['"']!);
  const apostrophes = ['&#39;', '&#x27;', '&#039;', '&apos;'];
  return [text, attribute, ...apostrophes.map((reference) => attribute.replaceAll("'", reference))];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function unicodeEscape(unit: string): string {
  return String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0');
}

function urlForms(part: string): string[] {
  return KEPT_BY_URL_ENCODERS.flatMap((kept) => {
    const upper = percentEncode(part, kept);
    const lower = upper.replace(/%../g, (escape) => escape.toLowerCase());
    return [upper, lower, upper.replaceAll('%20', '+'), lower.replaceAll('%20', '+')];
  });
}

function percentEncode(part: string, kept: RegExp): string {
  return Array.from(Buffer.from(part), (byte) => {
    const character = String.fromCharCode(byte);
    return byte < 0x80 && kept.test(character) ? character : PERCENT_ESCAPES[byte];
  }).join('');
}

function hexForms(part: string): string[] {
  const hex = Buffer.from(part).toString('hex');
  return [hex, hex.toUpperCase()];
}

/**
 * base64 packs three bytes into four characters, so the form of a secret depends on how many bytes precede it in its
 * first group: there is one form for each of 0, 1 and 2, in both alphabets.
 */
function base64Forms(part: string): SecretForm[] {
  const bytes = Buffer.from(part);
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const inner = encoded.slice(first, end);
    const urlSafe = inner.replaceAll('+', '-').replaceAll('/', '_');
    const edges = { lead: offset > 0, tail: (offset + bytes.length) % 3 > 0 };
    return [...new Set([inner, urlSafe])].map((text) => ({ text, ...edges }));
  });
}
