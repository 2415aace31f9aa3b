import { describe, expect, it } from 'vitest';
import type { Me } from '../api/types';
import { hasRole, rolesUpTo } from './me';

const me = (role?: Me['role']) =>
  ({ type: 'user', id: '1', name: 'Ada', keyExpiresAt: null, ...(role ? { role } : {}) }) as Me;

describe('hasRole', () => {
  it('includes the roles below', () => {
    expect(hasRole(me('Admin'), 'Editor')).toBe(true);
    expect(hasRole(me('Viewer'), 'Editor')).toBe(false);
  });

  it('is false for agents, which have no role', () => {
    expect(hasRole(me(), 'Viewer')).toBe(false);
  });
});

describe('rolesUpTo', () => {
  it('returns no role above the own one', () => {
    expect(rolesUpTo(me('Admin'))).toEqual(['Viewer', 'Editor', 'Admin']);
  });
});
