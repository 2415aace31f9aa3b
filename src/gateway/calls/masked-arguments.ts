import { visibleText } from '../../platform/http/visible-text.js';
import { ExactNumber } from '../../platform/json/exact-json.js';

const NAME = '(?:[A-Z]{1,12} ){0,3}PRIVATE KEY-----';
/** A line break as such, or as its escape in JSON. */
const BREAKS = String.raw`(?:[ \t]*(?:\r?\n|(?:\\r)?\\n))+[ \t]*`;
const GAP = `(?:${BREAKS}|[ \\t]+)`;
const HEADER = '(?:Proc-Type: 4,ENCRYPTED|DEK-Info: [A-Z0-9-]{1,30},[0-9A-F]{16,64})';
const FULL_LINE = '[A-Za-z0-9+/=]{40,}';
const LAST_LINE = '[A-Za-z0-9+/=]{1,76}';

/**
 * A private key as PEM, also one that was cut off. What lies between its lines counts only where it is base64 in lines
 * of 40 characters or more; the last one may be shorter. Everything else stays: a person would approve what a mask
 * hides, and a shell takes `# -----BEGIN PRIVATE KEY-----` for a comment and executes the next line.
 */
const PRIVATE_KEY = new RegExp(
  `-----BEGIN ${NAME}${GAP}?(?:${HEADER}${BREAKS})*${FULL_LINE}(?:${GAP}${FULL_LINE})*` +
    `(?:${GAP}${LAST_LINE}(?=${GAP}?(?:-----END|$)))?(?:${GAP}?-----END ${NAME})?`,
  'g',
);

/** Replaces private keys in a text. */
export function withoutPrivateKeys(text: string, mask: string): string {
  return text.includes('PRIVATE KEY') ? text.replace(PRIVATE_KEY, () => mask) : text;
}

/** Characters of a JSON web token, with its dots. */
const WORD = /[\w.-]+/g;
/** A token begins with `{"` in base64. */
const BEGIN = /\beyJ/;
const LEAST_HEAD = 'eyJ'.length + 10;

/** A signature is longer than any top-level domain, since a host of the same form has to be seen. */
const LEAST_SIGNATURE = 40;
/** The lengths in base64 of what an encrypted token ends with, and of its initialization vector. */
const TAGS = [22, 32, 43];
const VECTORS = [16, 22];

/**
 * Replaces JSON web tokens, signed ones of three parts and encrypted ones of five, of which the first begins like an
 * object. One pass per part: as one regular expression it tries each `eyJ` of a long word against the rest of it, and 64
 * KiB of them took 9 seconds.
 */
export function withoutWebTokens(text: string, mask: string): string {
  return text.replace(WORD, (word) =>
    word.includes('eyJ') ? masked(word.split('.'), mask).join('.') : word,
  );
}

function masked(parts: string[], mask: string): string[] {
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at]!;
    const further = furtherParts(parts, at);
    const begin = further > 0 ? part.search(BEGIN) : -1;
    const isHead = begin >= 0 && part.length - begin >= LEAST_HEAD;
    kept.push(isHead ? part.slice(0, begin) + mask : part);
    if (isHead) at += further;
  }
  return kept;
}

/** Returns how many parts follow the head of a token that may begin at `at`; 0 where none can. */
function furtherParts(parts: string[], at: number): number {
  const length = (further: number) => parts[at + further]?.length ?? 0;
  // Long top-level domains begin so, a tag by a chance of one in 16 million.
  const isDomain = parts[at + 4]?.startsWith('xn--') === true;
  if (TAGS.includes(length(4)) && VECTORS.includes(length(2)) && !isDomain) return 4;
  return length(1) > 0 && length(2) >= LEAST_SIGNATURE ? 2 : 0;
}

type Given = Record<string, unknown>;

const MASK = '[secret]';

/** Names of arguments that hold a credential, without separators. The tool reads nothing else from them. */
const CREDENTIAL =
  /^(password|passwd|passphrase|secret|clientsecret|token|accesstoken|refreshtoken|authtoken|bearertoken|apikey|privatekey|authorization|credential|credentials)$/;

/** Credentials that are recognised by their form: keys of this service, GitHub, Slack, OpenAI and AWS. */
const FORMS =
  /\bawp_[a-z]_[\w-]{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bxox[abprs]-[\w-]{10,}|\bsk-[\w-]{20,}|\bAKIA[0-9A-Z]{16}\b/g;

/** A value with white space or of such a length is not a credential, and a person has to see it. */
const LONGEST_CREDENTIAL = 512;

/**
 * Returns the arguments of a call as the person sees them who decides on it: credentials masked, and every invisible
 * character of a name or text as its escape, so that nothing is approved that cannot be seen.
 * @param mask replaces the credentials that the service itself knows
 */
export function shownArguments(given: Given, mask: (text: string) => string): Given {
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string')
      return visibleText(withoutPrivateKeys(withoutWebTokens(mask(value), MASK), MASK).replace(FORMS, MASK));
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
    const named = distinctNames();
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        named(visibleText(mask(name))),
        isCredential(name, item) ? MASK : shown(item),
      ]),
    );
  };
  return shown(given) as Given;
}

/** Numbers names that look the same, because only the last one of them would be shown. */
function distinctNames(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    let count = counts.get(name) ?? 1;
    let shown = name;
    while (counts.has(shown)) {
      count += 1;
      shown = `${name} (${count})`;
    }
    counts.set(shown, 1);
    counts.set(name, count);
    return shown;
  };
}

function isCredential(name: string, value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= LONGEST_CREDENTIAL &&
    !/\s/.test(value.replace(/^(Bearer|Basic) /i, '')) &&
    isCredentialName(name)
  );
}

/** Returns whether a field of this name holds a credential. */
export function isCredentialName(name: string): boolean {
  return CREDENTIAL.test(name.toLowerCase().replaceAll(/[-_. ]/g, ''));
}
