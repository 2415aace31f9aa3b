import { expect, it } from '@jest/globals';
import { type CatalogEntry, credentialCheckOf } from './catalog-entry.js';

const entryOf = (isSecret: boolean, manifest: object) =>
  ({ environmentVariables: [{ name: 'KEY', isSecret }], manifest }) as unknown as CatalogEntry;

it.each<[boolean, object, string | null]>([
  [false, { credentialProbe: null }, null],
  [
    true,
    { credentialProbe: { tool: 'whoami', arguments: {} } },
    'Verify calls whoami, which fails with a wrong credential.',
  ],
  [
    true,
    { credentialProbe: null, noProbeReason: 'the moon is full' },
    'Verify cannot check this credential because the moon is full.',
  ],
  [
    true,
    { credentialProbe: null },
    'Verify cannot check this credential because the entry names no harmless call that needs it.',
  ],
])(
  'an entry that reads a secret (%s) with the manifest %j has one sentence on its check',
  (secret, manifest, text) => {
    expect(credentialCheckOf(entryOf(secret, manifest))).toBe(text);
  },
);
