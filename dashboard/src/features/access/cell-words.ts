import type { Effective } from '../../shared/mcp/effective-access';
import { sourceWords } from '../../shared/mcp/grant-words';
import type { Grant } from './grants';

/** `None`, `Refused`, `All` or `7 of 22`. */
export function wordsOf({ has }: Pick<Grant, 'has'>, effect: Effective | null, tools: number | null): string {
  if (has === 'refused') return 'Refused';
  if (effect === null) return 'None';
  if (effect.tools === null) return 'All';
  return tools === null ? `${effect.tools.length} tools` : `${effect.tools.length} of ${tools}`;
}

/** `asks for writes` or `asks for 3`; null where no call needs an approval. */
export function askWordsOf(effect: Effective | null): string | null {
  if (effect === null || effect.ask === null) return null;
  return effect.ask === 'writes' ? 'asks for writes' : `asks for ${effect.ask.length}`;
}

/** Where the right comes from, where that is not a grant alone. */
export function fromWords(effect: Effective | null): string | null {
  return effect === null || effect.profiles.length === 0 ? null : sourceWords(effect);
}

/** The credential set, where it is not `default`. */
export function setWords(effect: Effective | null): string | null {
  return effect === null || effect.credentialSet === 'default' ? null : effect.credentialSet;
}
