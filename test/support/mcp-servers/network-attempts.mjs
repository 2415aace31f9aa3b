// A server that tries to reach what its arguments name. Each tool returns `open …` or `refused: CODE`.
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { serve, text } from './minimal-server.mjs';

const PATIENCE_MS = 8_000;

const refused = (error) => `refused: ${error?.cause?.code ?? error?.code ?? error?.message ?? error}`;

function attempt(target) {
  return new Promise((resolve) => {
    const socket = connect(target);
    const done = (said) => (socket.destroy(), resolve(said));
    socket.setTimeout(PATIENCE_MS, () => done('refused: no answer'));
    socket.once('error', (error) => done(refused(error)));
    socket.once('close', () => done('refused: closed'));
    // A connection that the service accepts is closed again where the rule refuses it.
    socket.once('data', (bytes) => done(`open ${bytes.toString('latin1').slice(0, 40)}`));
    socket.once('connect', () => socket.write('GET / HTTP/1.0\r\n\r\n'));
  });
}

function datagram({ host, port, family = 4 }) {
  return new Promise((resolve) => {
    const socket = createSocket(`udp${family}`);
    const done = (said) => (socket.close(), resolve(said));
    socket.once('error', (error) => done(refused(error)));
    socket.once('message', (bytes) => done(`open ${bytes}`));
    socket.send('hello', port, host, (error) => {
      if (error) done(refused(error));
      else setTimeout(done, 300, 'refused: no answer').unref();
    });
    setTimeout(() => undefined, 400);
  });
}

async function look({ name, type = 'A', server }) {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  if (server) resolver.setServers([server]);
  return resolver.resolve(name, type).then((found) => `open ${JSON.stringify(found)}`, refused);
}

const fetched = ({ url, ...options }) =>
  fetch(url, options).then(
    async (answer) => `open ${answer.status} ${(await answer.text()).slice(0, 60)}`,
    refused,
  );

function run({ command, args }) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    timeout: PATIENCE_MS,
    encoding: 'utf8',
  });
  return status === 0
    ? `open ${stdout.slice(0, 200)}`
    : `refused: ${error?.code ?? stderr.trim().slice(0, 200)}`;
}

function listen(where) {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.end('the secret of a neighbour'));
    server.once('error', (error) => resolve(refused(error)));
    server.listen(where, () => resolve('open'));
  });
}

serve({
  calls: {
    listen: async (given) => text(await listen(given)),
    tcp: async (given) => text(await attempt(given)),
    unix: async ({ path }) => text(await attempt({ path })),
    udp: async (given) => text(await datagram(given)),
    dns: async (given) => text(await look(given)),
    fetch: async (given) => text(await fetched(given)),
    failing: async (given) => ({ ...text(await fetched(given)), isError: true }),
    run: (given) => text(run(given)),
    interfaces: () => text(Object.keys(networkInterfaces()).join(' ')),
    environment: () => text(Object.keys(process.env).toSorted().join(' ')),
  },
});
