/** A word or pattern that the project does not use in prose, and what to write instead. */
export interface BannedWord {
  pattern: RegExp;
  instead: string;
}

/** Words of CONTRIBUTING's language section that a search can find. Reading finds the rest. */
export const bannedWords: readonly BannedWord[] = [
  { pattern: /\b(tell|tells|told|telling)\b/i, instead: 'return, report, show, list, notify' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\b(mend|mends|mended|mending)\b/i, instead: 'fix' },
  { pattern: /\b(nobody|whoever|whomever)\b/i, instead: 'the name of the actor' },
  { pattern: /(?<!there )\b(is|are) none\b/i, instead: 'is not one, does not exist' },
  { pattern: /\bdear\b/i, instead: 'expensive, with the figure' },
  { pattern: /\b(rooms|this room|floors?|house)\b/i, instead: 'module or folder, layer, code base' },
  { pattern: /\bfaults?\b/i, instead: 'error, invalid value, bug' },
  { pattern: /\b(beat|beats)\b/i, instead: 'heartbeat' },
  { pattern: /\bstrays?\b/i, instead: 'orphaned' },
  { pattern: /\b(gathered|gathers) reads?\b/i, instead: 'batched reads' },
  { pattern: /\bcircles?\b/i, instead: 'cycle' },
  {
    pattern: /\b(requests|calls|lines|rows|times|objects?) a (line|route|key|second|minute|day)\b/i,
    instead: 'per',
  },
  { pattern: /\b(fast lane|short way)\b/i, instead: 'the one term for the path of a tool call' },
  { pattern: /\b(as it stands|as they stand)\b/i, instead: 'unchanged' },
];

/** Uses that are right: technical terms, and sentences in which the word has its usual meaning. */
export const allowedUses: readonly RegExp[] = [
  /\b(segmentation|page) faults?\b/i,
  // The user of the operating system.
  /'nobody'/,
];
