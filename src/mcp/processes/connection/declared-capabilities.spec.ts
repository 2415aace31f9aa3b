import { describe, expect, it } from '@jest/globals';
import { undeclaredFor } from './connection-and-declared-capabilities.js';

const LATEST = '2025-11-25';

describe('a method of a server', () => {
  it.each([
    ['tools/list', 'tools'],
    ['tools/call', 'tools'],
    ['prompts/list', 'prompts'],
    ['prompts/get', 'prompts'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resources'],
    ['resources/read', 'resources'],
    ['completion/complete', 'completions'],
    ['logging/setLevel', 'logging'],
  ])('%s is not sent to a server that does not declare %s', (method, capability) => {
    for (const declared of [undefined, {}, { [capability]: null }, { other: {} }])
      expect(undeclaredFor(method, declared, LATEST)).toBe(capability);
    expect(undeclaredFor(method, { [capability]: {} }, LATEST)).toBeNull();
  });

  it('for subscriptions is sent only to a server that declares them among its resources', () => {
    for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
      for (const resources of [undefined, {}, { subscribe: false }])
        expect(undeclaredFor(method, { resources }, LATEST)).toBe('resources.subscribe');
      expect(undeclaredFor(method, { resources: { subscribe: true } }, LATEST)).toBeNull();
    }
  });

  it('for completions is sent without a declaration to a server of a revision that has none', () => {
    expect(undeclaredFor('completion/complete', {}, '2024-11-05')).toBeNull();
    expect(undeclaredFor('completion/complete', {}, '2025-03-26')).toBe('completions');
  });

  it('that needs no capability is sent to every server', () => {
    expect(undeclaredFor('ping', {}, LATEST)).toBeNull();
    expect(undeclaredFor('vendor/own', {}, LATEST)).toBeNull();
  });
});
