import { expect, it } from '@jest/globals';
import { consoleScriptsIn, fieldOf } from './python-environment.js';

const METADATA =
  'Metadata-Version: 2.1\r\nname:  acme_mcp \r\nVersion: 1.0.0\r\n\r\nSummary: none\r\nAuthor: x';

it('reads the fields of the header of a METADATA file, and nothing below it', () => {
  const read = (name: string) => fieldOf(METADATA, name);
  expect([read('Name'), read('Version'), read('Author'), read('License')]).toEqual([
    'acme_mcp',
    '1.0.0',
    '',
    '',
  ]);
});

it('reads the programs of an entry_points.txt, and no other entry points', () => {
  const text =
    '[other]\nx = a:b\n\n[console_scripts]\n  acme-mcp = acme:main\nacme.two=acme:two\n# no\n[last]\ny = c:d\n';
  expect(consoleScriptsIn(text)).toEqual(['acme-mcp', 'acme.two']);
});

// As expressions over all lines these took minutes, in which the service did nothing else.
it('reads the files of a hostile package in one pass', () => {
  const blank = ' '.repeat(500_000);
  expect(fieldOf(`Name: a${blank}b\nVersion: 1`, 'Version')).toBe('1');
  expect(consoleScriptsIn(`[console_scripts]${'\n'.repeat(500_000)}a${blank}`)).toEqual([]);
});
