import { describe, expect, it } from '@jest/globals';
import { partsOfAddress, withAddresses, withAddressesInMessages } from './advertised-name.js';

const link = { type: 'resource_link', uri: 'note://1', name: 'one', own: 1 };
const embedded = { type: 'resource', resource: { uri: 'note://2', blob: 'AA==' }, annotations: {} };
const others = [{ type: 'text', text: 'note://1' }, { type: 'audio', uri: 'note://1' }, null, 'text', 3];

describe('the URIs in a result', () => {
  it('become addresses where they name a resource, and nothing else changes', () => {
    const result = {
      content: [link, embedded, ...others],
      structuredContent: { uri: 'note://1' },
      isError: true,
    };
    expect(withAddresses('notes', result)).toEqual({
      ...result,
      content: [
        { ...link, uri: 'awp+notes:note://1' },
        { ...embedded, resource: { uri: 'awp+notes:note://2', blob: 'AA==' } },
        ...others,
      ],
    });
  });

  it('become addresses in each message of a prompt, whose content is one block or several', () => {
    const prompt = {
      messages: [{ role: 'user', content: link }, { role: 'user', content: [embedded] }, 'odd'],
    };
    expect(withAddressesInMessages('notes', prompt)).toMatchObject({
      messages: [
        { role: 'user', content: { uri: 'awp+notes:note://1' } },
        { role: 'user', content: [{ resource: { uri: 'awp+notes:note://2' } }] },
        'odd',
      ],
    });
  });

  it('lead back to the URI of the server, also where that is an address itself', () => {
    const [block] = withAddresses('outer', { content: [{ ...link, uri: 'awp+inner:note://1' }] }).content as [
      { uri: string },
    ];
    expect(partsOfAddress(block.uri)).toEqual({ slug: 'outer', uri: 'awp+inner:note://1' });
  });

  it.each([{}, { content: 'text' }, { content: [{ type: 'resource' }, { type: 'resource_link', uri: 1 }] }])(
    'stay as they are in a result of another form: %j',
    (result) => expect(withAddresses('notes', result)).toEqual(result),
  );
});
