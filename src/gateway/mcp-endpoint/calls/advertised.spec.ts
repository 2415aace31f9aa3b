import { describe, expect, it } from '@jest/globals';
import { advertisedName } from '../../../mcp/access/advertised-name.js';
import { originalOf, partsOf } from './advertised.js';

describe('a name that an agent calls', () => {
  it('parts into the slug of a server and the name of its tool', () => {
    expect(partsOf('git-hub__create_issue')).toEqual({
      slug: 'git-hub',
      name: 'create_issue',
      mayBeChanged: false,
    });
    expect(partsOf('a__b__c')).toMatchObject({ slug: 'a', name: 'b__c' });
  });

  it.each(['', 'echo', 'a__', '__b', 'A__b', 'a__b c', 'a__\u0000', 7, null, undefined])(
    'is none where it is %p',
    (name) => {
      expect(partsOf(name)).toBeNull();
    },
  );

  it('that had to be changed leads back to the tool of the server’s own name', () => {
    const names = ['read file', 'read/file', 'a'.repeat(80), `${'a'.repeat(79)}b`];
    for (const name of names) {
      const advertised = advertisedName('files', name);
      expect(partsOf(advertised)?.mayBeChanged).toBe(true);
      expect(originalOf(advertised, 'files', names)).toBe(name);
    }
  });
});
