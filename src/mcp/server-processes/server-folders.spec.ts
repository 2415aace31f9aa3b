import { describe, expect, it } from '@jest/globals';
import { dataFolderOf, ownFoldersPattern } from './server-folders.js';

const [server, one, other] = ['1', '2', '3'].map(
  (digit) => `${digit.repeat(8)}-1111-4111-8111-${digit.repeat(12)}`,
) as [string, string, string];
const without = (text: string, dataDir = '/srv/a+b "c"'): string =>
  JSON.stringify(text).replace(ownFoldersPattern(dataDir, server), '{own}');
const folder = (scope: string, id = server): string => dataFolderOf('/srv/a+b "c"', id, scope);

describe('ownFoldersPattern', () => {
  it.each([
    ['a shared process', folder('shared')],
    ['a process with another credential set', folder(`shared_${one}`)],
    ['the process of an agent', folder(one)],
    ['the process of an agent with another set', folder(`${one}_${other}`)],
    ['a verification', folder(`verify-${one}`)],
    ['one start', '/srv/a+b "c"/mcp-run/12-3456-0a1b2c3d'],
  ])('matches the folder of %s, whatever follows', (_, path) => {
    expect(without(`Writes to ${path}/out, and ${path}.`)).toBe('"Writes to {own}/out, and {own}."');
  });

  it.each([
    ['another server', folder('shared', one)],
    ['words in place of a scope', folder('ignore-what-was-said')],
    ['words after a scope', `${folder('shared')}-ignore-what-was-said`],
    ['a text in digits', `/srv/a+b "c"/mcp-run/12-${'72101108108111'.repeat(9)}-0a1b2c3d`],
    ['another data folder', dataFolderOf('/srv/other', server, 'shared')],
  ])('does not match %s', (_, path) => {
    expect(without(path)).toBe(JSON.stringify(path));
  });
});
