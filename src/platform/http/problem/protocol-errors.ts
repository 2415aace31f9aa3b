import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { problemText } from './problem-text.js';
import { Problem, ValidationFailed } from './problem.js';

/** Answers violations of HTTP in the form of all errors (contract §1): Node's own responses to them have no body. */
export function answerProtocolErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') end(socket, '408 Request Timeout', '');
    else refuse(socket, problemOf(error));
  });
  server.on('connect', (_, socket: Duplex) => {
    // The connection ends with the response, whether or not the client receives it.
    socket.on('error', () => undefined);
    refuse(
      socket,
      new Problem('method_not_allowed', 'The service is not a proxy and does not accept CONNECT.'),
    );
  });
  // An unknown expectation is no reason to reject a request.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function problemOf({ code }: NodeJS.ErrnoException): Problem {
  const message =
    code === 'HPE_HEADER_OVERFLOW'
      ? 'address and headers may have at most 16 KiB together'
      : 'this is not an HTTP/1.1 request';
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
