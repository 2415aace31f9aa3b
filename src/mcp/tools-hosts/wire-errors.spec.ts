import { expect, it } from '@jest/globals';
import { NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import { McpError, McpUnavailable } from '../processes/connection/mcp-errors.js';
import { QuestionRefused } from '../processes/connection/server-questions-and-resource-streams.js';
import { fromWire, toWire, type WireError } from './host-request.js';

const travelled = (error: unknown) => fromWire(JSON.parse(JSON.stringify(toWire(error))) as WireError);

it.each([
  ['a JSON-RPC error', new McpError(-32602, 'no such tool', { name: 'x' })],
  ['an error without data', new McpError(-32603, 'failed')],
  ['a server that gives no response', new McpUnavailable('busy', 'Too many calls are running.', 5)],
  ['a refused question', new QuestionRefused('No request is running.')],
])('%s arrives as it was sent', (_, error) => {
  const arrived = travelled(error);
  expect(arrived).toBeInstanceOf(error.constructor);
  expect({ ...arrived, message: arrived.message }).toEqual({ ...error, message: error.message });
});

it.each([
  new NotFound(),
  new ValidationFailed([{ path: 'name', message: 'is too long' }]),
  new Problem('unavailable', 'Try again.', { members: { gateId: 'g' }, headers: { 'Retry-After': '2' } }),
])('a problem arrives with all that its response needs', (problem) => {
  const arrived = travelled(problem) as Problem;
  expect(arrived).toBeInstanceOf(Problem);
  const { name: _, ...facts } = { ...problem };
  expect(arrived).toMatchObject(facts);
});

it('an error of the service itself arrives without its message', () => {
  expect(travelled(new TypeError('x of undefined')).message).not.toContain('undefined');
});
