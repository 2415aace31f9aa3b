import { describe, expect, it } from '@jest/globals';
import { roleOfClaims } from './role-of-claims.js';

const rules = {
  roleClaim: 'groups',
  roleOfValue: new Map([
    ['staff', 'Editor'],
    ['admins', 'Admin'],
  ] as const),
  defaultRole: null,
};

describe('roleOfClaims', () => {
  it.each([
    ['one value as a text', { groups: 'staff' }, 'Editor'],
    ['the highest of several values', { groups: ['staff', 'admins', 'other'] }, 'Admin'],
    ['no value of the map', { groups: ['Staff', 'admin'] }, null],
    ['no claim', {}, null],
    ['values that are not texts', { groups: [{ staff: true }, 1, null, ['staff']] }, null],
    ['an object in place of a list', { groups: { staff: true } }, null],
  ])('gives the role of %s', (_, claims, role) => {
    expect(roleOfClaims(claims, rules)).toBe(role);
  });

  it('gives the default role where the map gives none, and where there is no map', () => {
    expect(roleOfClaims({ groups: ['other'] }, { ...rules, defaultRole: 'Viewer' })).toBe('Viewer');
    expect(roleOfClaims({ groups: ['admins'] }, { ...rules, defaultRole: 'Viewer' })).toBe('Admin');
    expect(roleOfClaims({}, { roleClaim: null, roleOfValue: new Map(), defaultRole: 'Viewer' })).toBe(
      'Viewer',
    );
  });

  it('finds a claim by its whole name and by a path, among its own members only', () => {
    const named = (roleClaim: string) => ({ ...rules, roleClaim });
    expect(roleOfClaims({ 'https://a.example/roles': ['staff'] }, named('https://a.example/roles'))).toBe(
      'Editor',
    );
    expect(roleOfClaims({ realm_access: { roles: ['admins'] } }, named('realm_access.roles'))).toBe('Admin');
    expect(
      roleOfClaims({}, { ...named('constructor.name'), roleOfValue: new Map([['Object', 'Owner']]) }),
    ).toBe(null);
  });
});
