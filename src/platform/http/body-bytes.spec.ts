import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { BodyBytes, NetworkBytes } from './byte-limits.js';
import { InFlight } from './in-flight-connections-and-slow-readers.js';

const KIB = 1024;
const inFlight = new InFlight();
const bodies = new BodyBytes(inFlight, 1024 * KIB);

/** Opens a request of a caller; `end` is what the answer to it does. */
function open(id: string): { request: IncomingMessage; end: () => void } {
  const request = Object.assign(new IncomingMessage(new Socket()), { user: { id } });
  const response = new ServerResponse(request);
  inFlight.track(request, response, () => undefined);
  return { request, end: () => response.emit('close') };
}

it('refuses a body beyond what the open requests of the caller may hold, until one is answered', () => {
  const [first, second, other] = [open('a'), open('a'), open('b')];
  bodies.hold(first.request, 700 * KIB);
  bodies.hold(second.request, 300 * KIB);
  expect(() => bodies.hold(second.request, 400 * KIB)).toThrow('hold bodies of 716800 bytes');
  bodies.hold(other.request, 700 * KIB);
  first.end();
  bodies.hold(second.request, 700 * KIB);
});

it('counts no small body, and refuses no body that is alone', () => {
  const [small, alone] = [open('c'), open('c')];
  bodies.hold(small.request, 64 * KIB);
  bodies.hold(alone.request, 4096 * KIB);
});

describe('bodies that a signature has still to admit', () => {
  const of = () => ({}) as IncomingMessage;

  it('hold so much per client network, and four times that in all', () => {
    const bytes = new NetworkBytes(100);
    const [first, second] = [of(), of()];
    bytes.hold('a', first, 60);
    expect(() => bytes.hold('a', second, 41)).toThrow('hold bodies of 60 bytes');
    bytes.hold('a', second, 40);
    for (const network of ['b', 'c', 'd']) bytes.hold(network, of(), 100);
    expect(() => bytes.hold('e', of(), 1)).toThrow('hold bodies of 400 bytes');
    bytes.release(first);
    bytes.hold('e', of(), 60);
  });

  it('are bounded by their own limit where there is one alone', () => {
    const bytes = new NetworkBytes(100);
    const only = of();
    bytes.hold('a', only, 1_000);
    bytes.hold('a', only, 2_000);
    // One that is refused is dropped, and holds nothing.
    bytes.hold('a', only, 0);
    bytes.hold('a', of(), 100);
  });
});
