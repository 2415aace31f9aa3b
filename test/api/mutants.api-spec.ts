import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const BUILT = resolve(import.meta.dirname, '../../dist/src');
type Change = { file: string; changes: string[][] };
const { mutants } = (await import('../mutants/mutants.mjs')) as {
  mutants: (Change & { name: string; also?: Change })[];
};

/** `npm run test:mutants` runs them, in an hour. A mutant whose text is gone would be found only then. */
describe('a mutant', () => {
  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    'changes what is there: %s',
    (_, mutant) => {
      for (const { file, changes } of [mutant, mutant.also].filter((change) => change !== undefined)) {
        const path = join(BUILT, file);
        expect([file, existsSync(path)]).toEqual([file, true]);
        const code = readFileSync(path, 'utf8');
        for (const [text] of changes) expect([text, code.split(text!).length - 1]).toEqual([text, 1]);
      }
    },
  );
});
