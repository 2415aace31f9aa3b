import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/contract.md'), 'utf8');

/**
 * A statement of docs/contract.md, for the title of the test that asserts it.
 * @throws where the section does not contain it (white space aside): then the test asserts what nothing promises
 */
export function stated(section: string, statement: string): string {
  const [, rest] = PAGE.split(new RegExp(`^##+ ${section.replace('.', '\\.')}\\.? .*$`, 'm'));
  const text = (rest ?? '').split(/^##+ /m)[0]!;
  if (!plain(text).includes(plain(statement)))
    throw new Error(`docs/contract.md §${section} does not state: ${statement}`);
  return `§${section} ${statement}`;
}

function plain(text: string): string {
  return text.replaceAll(/[\s|]+/g, ' ').trim();
}
