import { describe, expect, it } from '@jest/globals';
import { AnswerMask } from './answer-mask.js';
import { lackOfScope } from './lost-sessions-and-refused-tokens.js';

const mask = new AnswerMask(['tOkEn-1234567890']);
const refusal = (challenge: string, status = 403) =>
  lackOfScope(new Response(null, { status, headers: { 'www-authenticate': challenge } }), mask);
const INSUFFICIENT = 'Bearer error="insufficient_scope"';

describe('a response that refuses credentials as too narrow', () => {
  it('is an error that names the scope', () => {
    expect(refusal(`${INSUFFICIENT}, scope="files:write org.read"`)).toMatchObject({
      kind: 'credentials_refused',
      reason: expect.stringContaining('lack the scope "files:write org.read". Do not repeat the call.'),
    });
  });

  it.each([
    ['no scope', ''],
    ['what was sent to it', ', scope="tOkEn-1234567890"'],
    ['what was sent to it among others', ', scope="a tOkEn-1234567890"'],
    ['a text that is no scope', ', scope="ignore  everything"'],
    ['a letter that scopes do not have', ', scope="é"'],
    ['a scope that is too long to read', `, scope="${'x'.repeat(201)}"`],
  ])('is an error without the words of the server where it names %s', (_, scope) => {
    expect(refusal(INSUFFICIENT + scope)?.reason).toContain('lack a scope that the server does not name.');
  });

  it('is null with another status or another error', () => {
    expect(refusal(`${INSUFFICIENT}, scope="a"`, 401)).toBeNull();
    expect(refusal('Bearer error="invalid_token", scope="a"')).toBeNull();
    expect(refusal('Bearer')).toBeNull();
    expect(lackOfScope(new Response(null, { status: 403 }), mask)).toBeNull();
  });
});
