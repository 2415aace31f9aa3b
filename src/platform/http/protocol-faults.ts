import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { problemText } from './problem-text.js';
import { Problem, ValidationFailed } from './problem.js';

/** Node's own answers to what breaks the rules of HTTP have no body; these have the one form of refusals (spec §1). */
export function answerProtocolFaults(server: Server): void {
  server.on('clientError', (fault: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || fault.code === 'ECONNRESET') socket.destroy();
    else if (fault.code === 'ERR_HTTP_REQUEST_TIMEOUT') end(socket, '408 Request Timeout', '');
    else refuse(socket, problemOf(fault));
  });
  server.on('connect', (_, socket: Duplex) => {
    socket.on('error', () => undefined);
    refuse(socket, new Problem('method_not_allowed', 'The service is no proxy: it takes no CONNECT.'));
  });
  // An expectation that we don't know of is a wish, not a reason to refuse.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function problemOf({ code }: NodeJS.ErrnoException): Problem {
  const message =
    code === 'HPE_HEADER_OVERFLOW'
      ? 'address and headers may have at most 16 KiB together'
      : 'this is not a request of HTTP/1.1';
  return new ValidationFailed([{ path: '', message }]);
}

function refuse(socket: Duplex, problem: Problem): void {
  const statusText = problem.status === 405 ? '405 Method Not Allowed' : '400 Bad Request';
  end(socket, statusText, problemText(problem, '', uuidv7()));
}

function end(socket: Duplex, status: string, body: string): void {
  const type = body ? 'Content-Type: application/problem+json\r\n' : '';
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.end(`HTTP/1.1 ${status}\r\n${type}${length}Connection: close\r\n\r\n${body}`);
}
