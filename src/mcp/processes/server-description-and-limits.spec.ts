import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { credentialSetOf, withCredentialSet, withoutCredentialSet } from './server-description-and-limits.js';

const [server, agent, set] = [randomUUID(), randomUUID(), randomUUID()];

describe('a scope', () => {
  it.each(['shared', agent, `verify-${agent}`])('%s keeps its name with the set default', (scope) => {
    expect(withCredentialSet(scope, server, server)).toBe(scope);
    expect([credentialSetOf(server, scope), withoutCredentialSet(scope)]).toEqual([server, scope]);
  });

  it.each(['shared', agent])('%s names another set, and is read back', (scope) => {
    const own = withCredentialSet(scope, server, set);
    expect(own).toMatch(/^[0-9a-z_-]+$/);
    expect([credentialSetOf(server, own), withoutCredentialSet(own)]).toEqual([set, scope]);
  });
});
