// A process that opens the built service for one test file after another, so that its modules are loaded and compiled
// once per Jest worker. It listens on the Unix socket of its first argument and writes the services' output to its
// standard output, which is a file. A connection is one service: its first line holds the environment, the response
// names the address, and the end of the connection shuts the service down.
import { fstatSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';

let taken = false;

createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  createInterface(socket).once('line', (line) => void serve(socket, JSON.parse(line)));
}).listen(process.argv[2]);

/** Serves one at a time: the environment, the logger and the output belong to the process. */
async function serve(socket, environment) {
  if (taken) return reply(socket, { taken });
  taken = true;
  const ended = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  const logStart = fstatSync(1).size;
  replaceEnvironment(environment);
  const { openService } = await import('../../dist/src/app.run.js');
  const { shutDown } = await import('../../dist/src/app.start.js');
  let shut = async () => undefined;
  try {
    const address = await openService((app, database) => (shut = () => shutDown(app, database)));
    reply(socket, { address, logStart });
    await ended;
    await shut();
  } catch (error) {
    reply(socket, { error: inspect(error), logStart });
  }
  taken = false;
  socket.end();
}

function reply(socket, message) {
  socket.write(`${JSON.stringify(message)}\n`);
}

function replaceEnvironment(environment) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
}
