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
