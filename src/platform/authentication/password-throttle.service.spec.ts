import { expect, it } from '@jest/globals';
import { clientNetwork } from './password-throttle.service.js';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['no address', 'no address'],
  [null, 'unknown'],
])('the requests of %s are counted for %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
