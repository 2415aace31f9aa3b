// A process that runs the commands of scripts/ for one test after another, so that their modules are loaded once per
// Jest worker: a command in a process of its own needs a second of a processor to load them. It listens on the Unix
// socket of its first argument. A connection is one command: its line holds the script, its arguments and its
// environment, and the response says how the command ended.
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const STREAMS = ['stdout', 'stderr'];
/** Each command replaces these by others that escape invisible characters (visible-output.mjs). */
const { log, warn, error } = console;
const write = Object.fromEntries(STREAMS.map((stream) => [stream, process[stream].write]));
let commands = 0;
let former = Promise.resolve();

/** What `process.exit` throws here: it ends the command and not the host. */
class Exit extends Error {}

createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  // One at a time: the arguments, the environment and the output belong to the process.
  createInterface(socket).once('line', (line) => {
    former = former.then(async () => socket.end(`${JSON.stringify(await outcomeOf(JSON.parse(line)))}\n`));
  });
}).listen(process.argv[2]);

async function outcomeOf({ script, args, environment }) {
  replaceEnvironment(environment);
  process.argv = [process.execPath, script, ...args];
  process.exitCode = undefined;
  process.exit = exit;
  Object.assign(console, { log, warn, error });
  const printed = Object.fromEntries(STREAMS.map((stream) => [stream, collected(stream)]));
  try {
    // The query makes the script run again. What it imports is loaded once.
    await import(`${script}?command=${(commands += 1)}`);
  } catch (reason) {
    if (!(reason instanceof Exit)) {
      console.error(reason);
      process.exitCode = 1;
    }
  }
  for (const stream of STREAMS) process[stream].write = write[stream];
  const texts = Object.entries(printed).map(([stream, parts]) => [stream, parts.join('')]);
  return { code: process.exitCode ?? 0, ...Object.fromEntries(texts) };
}

function exit(code) {
  process.exitCode = code ?? process.exitCode;
  throw new Exit();
}

/** Returns a list that gets what the command prints. */
function collected(stream) {
  const parts = [];
  process[stream].write = (text) => parts.push(text) > 0;
  return parts;
}

function replaceEnvironment(environment) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
}
