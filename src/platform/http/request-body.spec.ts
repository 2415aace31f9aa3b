import { describe, expect, it } from '@jest/globals';
import { jsonMediaTypeError } from './request-body.js';

describe('jsonMediaTypeError', () => {
  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json ; profile=x',
    'application/json; charset=utf8',
  ])('accepts %s', (contentType) => {
    expect(jsonMediaTypeError(contentType, undefined)).toBeNull();
    expect(jsonMediaTypeError(contentType, 'identity')).toBeNull();
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
  ])('rejects %s', (contentType) => {
    expect(jsonMediaTypeError(contentType, undefined)).toMatch(/application\/json in UTF-8/);
  });

  it.each(['gzip', 'br', 'deflate', 'identity, gzip', ''])(
    'rejects a body with Content-Encoding "%s"',
    (encoding) => {
      expect(jsonMediaTypeError('application/json', encoding)).toMatch(/uncompressed/);
    },
  );
});
