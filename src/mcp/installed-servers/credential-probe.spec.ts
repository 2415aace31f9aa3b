import { expect, it } from '@jest/globals';
import { reportsUnreachable } from './server-verifier-and-credential-probe.service.js';

const saying = (text: string) => ({ isError: true, content: [{ type: 'text', text }] });

it.each([
  'fetch failed',
  'Get "https://127.0.0.1:9/api": dial tcp 127.0.0.1:9: connect: connection refused',
  '{"status":401,"message":"Authentication failed. (Name or service not known (login.example.com:443))"}',
  'getaddrinfo EAI_AGAIN api.example.com',
  'HTTPSConnectionPool: Max retries exceeded with url: /v1/me',
  'Request timed out.',
  'Request failed with status code 429',
  'Quota exceeded: upgrade the plan.',
])('returns true for a network error or a spent quota: %s', (text) => {
  expect(reportsUnreachable(saying(text))).toBe(true);
});

it.each([
  'The key is not valid.',
  '{"status":401,"code":"unauthorized","message":"API token is invalid."}',
  'Request failed with status code 403',
  'Your session timed out of its credits: log in again',
])('returns false for a rejection: %s', (text) => {
  expect(reportsUnreachable(saying(text))).toBe(false);
});
