import { ExactNumber } from '../../../../platform/json/exact-number.js';
import { visibleText } from '../../../../mcp/installed-servers/tools/visible-text.js';
import { withoutPrivateKeys } from './private-keys.js';
import { withoutWebTokens } from './web-tokens.js';

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
