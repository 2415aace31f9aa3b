import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { allowLongUpload, isLongUpload } from './in-flight-connections-and-slow-readers.js';
import { answerProtocolErrors } from './problem.filter.js';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A request whose second half comes when the server has timed the first one out. @returns the answer */
async function slowUpload(path: string): Promise<string> {
  const timedOut = new Promise((resolve) => {
    server = createServer({ requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 });
    server.on('clientError', resolve);
  });
  answerProtocolErrors(server, isLongUpload);
  server.on('request', (request, response) => {
    if (request.url === '/long') allowLongUpload(request);
    request.resume().on('end', () => response.end('whole'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  client.on('data', (chunk) => (answer += String(chunk)));
  client.on('error', () => undefined);
  client.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\na`);
  await timedOut;
  client.write('b');
  await once(client, 'close');
  return answer;
}

it('a request that takes longer than the limit is cut', async () => {
  expect(await slowUpload('/')).toContain('408 Request Timeout');
});

it('a request that may take longer is received', async () => {
  expect(await slowUpload('/long')).toContain('whole');
});
