import { describe, expect, it } from '@jest/globals';
import { isPublic, permittedAddresses } from './outbound-addresses-and-errors.js';

describe('public addresses', () => {
  it.each(['93.184.216.34', '2606:4700:4700::1111', '::ffff:93.184.216.34'])('%s is public', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  const inner = [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
  ];
  const odd = [
    '::',
    '::1',
    'fe80::1',
    'fd00:ec2::254',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '255.255.255.255',
    '::ffff:168.63.129.16',
    '::ffff:a83f:8110',
    '::7f00:1',
    '::5db8:d822',
  ];
  it.each([...inner, ...odd, '168.63.129.16', '198.18.0.1', 'no address', ''])(
    '%s is not public',
    (address) => {
      expect(isPublic(address)).toBe(false);
    },
  );

  it('allows a named host and port in any case, IPv6 in brackets', async () => {
    const resolve = async (): Promise<string[]> => ['10.0.0.1'];
    await expect(
      permittedAddresses('Inner.Example', 8080, [' inner.example:8080 '], resolve),
    ).resolves.toEqual(['10.0.0.1']);
    await expect(permittedAddresses('::1', 80, ['[::1]:80'], resolve)).resolves.toEqual(['::1']);
    await expect(permittedAddresses('inner.example', 8081, ['inner.example:8080'], resolve)).rejects.toThrow(
      'OUTBOUND_ALLOWED_HOSTS',
    );
  });

  it('refuses a name that resolves to nothing', async () => {
    await expect(permittedAddresses('none.example', 80, [], async () => [])).rejects.toThrow(
      'OUTBOUND_ALLOWED_HOSTS',
    );
  });
});
