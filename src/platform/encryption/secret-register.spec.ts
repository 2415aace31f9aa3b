import { describe, expect, it } from '@jest/globals';
import { SecretRegister } from './masking.js';

describe('SecretRegister', () => {
  it('masks the values of every owner', () => {
    const register = new SecretRegister();
    register.set('one', ['first-secret']);
    register.set('two', ['second-secret']);
    expect(register.mask('first-secret second-secret')).toBe('[secret] [secret]');
  });

  it('masks for one credential set its own values and tokens only', () => {
    const register = new SecretRegister();
    register.set('one', ['first-secret']);
    register.set('one token', ['first-token']);
    register.set('one-b', ['second-secret']);
    expect(register.maskOf('one', 'first-secret first-token second-secret')).toBe(
      '[secret] [secret] second-secret',
    );
  });

  it('forgets the former values of an owner and all values of a deleted owner', () => {
    const register = new SecretRegister();
    register.set('one', ['first-secret']);
    expect(register.mask('first-secret')).toBe('[secret]');
    register.set('one', ['newer-secret']);
    expect(register.mask('first-secret newer-secret')).toBe('first-secret [secret]');
    register.delete('one');
    expect(register.mask('newer-secret')).toBe('newer-secret');
  });

  it('keeps a copy of the values, so that a later change of the list has no effect', () => {
    const register = new SecretRegister();
    const values = ['first-secret'];
    register.set('one', values);
    values.pop();
    expect(register.mask('first-secret')).toBe('[secret]');
  });
});
