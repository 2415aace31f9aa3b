import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A message of PostgreSQL's protocol: its type, its length, its contents. */
function message(type: string, ...parts: (string | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const READY = message('Z', 'I');
const WELCOME = Buffer.concat([message('R', [0, 0, 0, 0]), READY]);

/** What a server does with a connection. */
type Answer = (socket: Socket) => void;

/** Ends the connection with an error of PostgreSQL, such as 53300. */
export const refusing =
  (code: string, text: string): Answer =>
  (socket) =>
    void socket.once('data', () => socket.end(message('E', `SFATAL\0C${code}\0M${text}\0\0`)));

/** Accepts the connection and returns one row for any query: a PostgreSQL of this version, writable or not. */
export const versioned =
  (number: number, version: string, { isStandby = false, isReadOnly = false } = {}): Answer =>
  (socket) => {
    const columns: [name: string, type: number, value: string][] = [
      ['number', 23, String(number)],
      ['version', 25, version],
      ['mayCreate', 16, 't'],
      ['isEmpty', 16, 't'],
      ['isStandby', 16, isStandby ? 't' : 'f'],
      ['isReadOnly', 16, isReadOnly ? 't' : 'f'],
    ];
    const described = columns.map(([name, type]) => [
      ...Buffer.from(`${name}\0`),
      ...[0, 0, 0, 0, 0, 0, 0, 0, 0, type, 255, 255, 255, 255, 255, 255, 0, 0],
    ]);
    const values = columns.map(([, , value]) => [0, 0, 0, value.length, ...Buffer.from(value)]);
    const count = [0, columns.length];
    const rows = [
      message('T', count, ...described),
      message('D', count, ...values),
      message('C', 'SELECT 1\0'),
    ];
    socket.once('data', () => {
      socket.write(WELCOME);
      socket.once('data', () => socket.write(Buffer.concat([...rows, READY])));
    });
  };

/** Refuses TLS, as a PostgreSQL with `ssl = off` does. */
export const withoutTls: Answer = (socket) => void socket.once('data', () => socket.write('N'));

/** Accepts TLS with this certificate, and then treats the connection as `answer` does. */
export const withTls =
  (files: { cert: Buffer; key: Buffer }, answer: Answer): Answer =>
  (socket) =>
    void socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, ...files });
      secure.on('error', () => undefined);
      answer(secure);
    });

/** Speaks HTTP and nothing else. */
export const speakingHttp: Answer = (socket) =>
  void socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));

/** A server on a port of its own that treats every connection alike. */
export async function serverThat(answer: Answer): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    answer(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}
