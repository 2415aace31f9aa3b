import type { ChildProcess } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Egress } from './egress-connections-and-name-lookups.js';

/** A query for the IPv4 address of `slow.test`. */
const QUERY = Buffer.from('00010100000100000000000004736c6f7704746573740000010001', 'hex');

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) {
    try {
      socket.close();
    } catch {
      // The test has closed it.
    }
  }
});

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

describe('the way out of a network namespace', () => {
  it.each([
    ['answers a query for a permitted name', false, 1],
    ['answers no query whose server has ended before the name was resolved', true, 0],
  ])('%s', async (_, ends, answers) => {
    const [dns, client] = [await bound(), await bound()];
    const steps = new EventEmitter();
    const answered = once(steps, 'answer');
    const egress = new Egress({
      rule: { kind: 'hosts', hosts: [{ host: 'slow.test', port: 443 }] },
      allowedHosts: [],
      resolve: async () => {
        steps.emit('question');
        await answered;
        return ['192.0.2.1'];
      },
    });
    let sent = 0;
    dns.send = () => void (sent += 1);
    const child = new EventEmitter();
    egress.receiveFrom(child as ChildProcess);
    child.emit('message', { dns: true }, dns);
    const asked = once(steps, 'question');
    client.send(QUERY, dns.address().port, '127.0.0.1');
    await asked;
    if (ends) egress.close();
    steps.emit('answer');
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBe(answers);
  });
});
