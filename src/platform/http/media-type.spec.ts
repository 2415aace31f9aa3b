import { describe, expect, it } from '@jest/globals';
import { jsonMediaFault } from './media-type.js';

describe('jsonMediaFault', () => {
  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; profile=x',
    'application/json; charset=utf8',
  ])('passes %s', (contentType) => {
    expect(jsonMediaFault(contentType, undefined)).toBeNull();
    expect(jsonMediaFault(contentType, 'identity')).toBeNull();
  });

  it.each([
    undefined,
    '',
    'json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/problem+json',
    'application/json, text/plain',
    'application/jsonx',
    'application/json; charset=utf-7',
    'application/json; charset=utf-16',
    'application/json; charset="utf-8 "',
    'application/json; charset=latin1; charset=utf-8',
    'multipart/form-data; boundary=x',
  ])('refuses %s', (contentType) => {
    expect(jsonMediaFault(contentType, undefined)).toMatch(/application\/json in UTF-8/);
  });

  it.each(['gzip', 'br', 'deflate', 'identity, gzip', ''])(
    'refuses a body of Content-Encoding "%s"',
    (encoding) => {
      expect(jsonMediaFault('application/json', encoding)).toMatch(/uncompressed/);
    },
  );
});
