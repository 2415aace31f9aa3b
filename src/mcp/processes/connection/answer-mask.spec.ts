import { expect, it } from '@jest/globals';
import { jsonText, parseJson } from '../../../platform/json/exact-json.js';
import { AnswerMask } from './answer-mask.js';

it.each([
  ['12345678', '{"a":12345678,"b":[-12345678.5,1.2345678e7,12,"n 12345678"]}'],
  [
    '12345678901234567890',
    '{"a":12345678901234567890,"b":[-12345678901234567890.5,12,"12345678901234567890"]}',
  ],
])('masks a secret of digits where a server writes it as a number: %s', (secret, answer) => {
  const masked = jsonText(new AnswerMask([secret]).value(parseJson(answer)));
  expect(masked).toMatch(/^\{"a":"\[secret\]","b":\["\[secret\]",.*12,"(n )?\[secret\]"\]\}$/);
  expect(masked).not.toContain(secret);
});

it('leaves numbers as they are that hold no secret, with their digits', () => {
  const answer = '{"a":[1234567,98765432109876543210,1e400,0]}';
  expect(jsonText(new AnswerMask(['12345678']).value(parseJson(answer)))).toBe(answer);
});
