// Servers that each misbehave in one way, and a polite one: node misbehaving.mjs MODE. Those that serve also have a tool `echo`.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { send, serve, text, tool } from './minimal-server.mjs';

const ownName = randomUUID();
const echo = (given) => text(given ?? {});
const progress = (request, n) =>
  send({
    method: 'notifications/progress',
    params: { progressToken: request.params._meta?.progressToken, progress: n },
  });

/** Writes `bytes` of `a` to a stream, waiting where it is full. */
async function pour(stream, bytes) {
  const chunk = Buffer.alloc(1024 * 1024, 'a');
  for (let written = 0; written < bytes; written += chunk.length)
    if (!stream.write(chunk)) await once(stream, 'drain');
}

const FORKS = `import os, sys, time
memory = b"x" * (int(sys.argv[1]) << 20)
if all(os.fork() for _ in range(int(sys.argv[2]))): print("ready", flush=True)
time.sleep(600)`;

const modes = {
  'silent-at-start': () => process.stdin.resume(),
  'silent-on-call': () => serve({ calls: { echo, silent: () => undefined } }),
  garbage: () => setInterval(() => console.log('this is no JSON'), 2),
  banner: () => {
    console.log('Welcome to the server!\n\n{"level":"info","msg":"listening"}');
    serve();
  },
  'huge-line': () =>
    serve({
      calls: {
        echo,
        huge: async ({ bytes }, { id }) => {
          process.stdout.write('{"result":{"content":[{"type":"text","text":"{\\"id\\":7}');
          await pour(process.stdout, bytes);
          process.stdout.write(`"}]},"jsonrpc":"2.0","id":${id}}\n`);
        },
      },
    }),
  hoarder: () =>
    serve({
      calls: {
        echo,
        store: ({ files, bytes }) => {
          for (let n = 0; n < files; n += 1)
            writeFileSync(join(process.env.HOME, `file-${n}`), Buffer.alloc(bytes, 'a'));
          return text('stored');
        },
      },
    }),
  // Logs in every way that servers use but the right one.
  'says-elsewhere': () => {
    const { KEY } = process.env;
    console.log(`Listening with ${KEY}`);
    console.log(JSON.stringify({ level: 30, msg: 'ready' }));
    serve({
      capabilities: { tools: {}, logging: {} },
      calls: {
        log: (given) => {
          const params = { level: 'warning', logger: 'store', data: { KEY, given, id: 1 } };
          send({ method: 'notifications/message', params });
          return text('logged');
        },
        // Goes on until the process ends.
        tick: () => {
          const params = () => ({ level: 'warning', data: { at: Date.now() } });
          setInterval(() => send({ method: 'notifications/message', params: params() }), 25);
          return text('ticking');
        },
        // JavaScript cannot write such a number.
        count: ({ digits }) => {
          const params = `{"level":"warning","data":${digits}}`;
          process.stdout.write(`{"jsonrpc":"2.0","method":"notifications/message","params":${params}}\n`);
          return text('counted');
        },
        leave: () => {
          process.stdout.write('no end of li');
          setImmediate(() => process.exit(3));
        },
      },
    });
  },
  'stderr-flood': () =>
    serve({
      calls: {
        echo,
        flood: async ({ bytes }) => {
          await pour(process.stderr, bytes);
          console.error('\nthe end of the flood');
          return text('dry again');
        },
      },
    }),
  deaf: () =>
    serve({
      calls: { echo, 'stop-reading': () => (setImmediate(() => process.stdin.pause()), text('deaf now')) },
    }),
  'duplicate-ids': () =>
    serve({
      calls: {
        echo: (given, { id }) => (
          send({ id, result: text('first') }),
          send({ id, result: text('second') }),
          undefined
        ),
      },
    }),
  'unknown-ids': () =>
    serve({
      // The SDK numbers its requests from 0 and reads '' and null as 0.
      onMessage: ({ method }) => {
        if (method === 'initialize') for (const id of ['', null, '0']) send({ id, result: { bogus: true } });
      },
      calls: {
        echo: (given) => {
          for (const id of [987654, '', null, 'x', true, -1]) send({ id, result: text('for no request') });
          return text(given);
        },
      },
    }),
  batch: () =>
    serve({
      calls: {
        echo: (given, { id }) =>
          void process.stdout.write(
            `${JSON.stringify([
              { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } },
              { jsonrpc: '2.0', id, result: text(given) },
            ])}\n`,
          ),
      },
    }),
  'progress-for-ever': () =>
    serve({
      calls: {
        echo,
        work: (given, request) => {
          let n = 0;
          setInterval(() => progress(request, (n += 1)), 20);
        },
        'progress-then-result': (given, request) => {
          for (let n = 1; n <= 5; n += 1) progress(request, n);
          return text('done');
        },
      },
    }),
  'exit-at-once': () => {
    console.error('I cannot work like this.');
    process.exit(3);
  },
  'exit-at-probe': () =>
    serve({
      onMessage: ({ method }) => {
        if (method === 'server/discover') process.exit(1);
      },
    }),
  'exit-in-call': () => serve({ calls: { echo, die: () => process.exit(4) } }),
  'stops-itself': () => serve({ calls: { echo, stop: () => process.kill(process.pid, 'SIGSTOP') } }),
  'fork-bomb': () =>
    serve({
      calls: {
        echo,
        fork: () => {
          for (let n = 0; n < 50; n += 1) spawn('sleep', ['600'], { stdio: 'ignore' });
          return text('50 sleepers');
        },
      },
    }),
  'memory-eater': () => {
    const eaten = [];
    serve({
      calls: { echo, eat: ({ megabytes }) => void eaten.push(Buffer.alloc(megabytes * 1024 * 1024, 1)) },
    });
  },
  // Processes that share their memory, as those of a browser do.
  'shares-memory': () =>
    serve({
      calls: {
        echo,
        wait: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, text('waited'))),
        share: async ({ megabytes, processes }) => {
          const program = spawn('python3', ['-c', FORKS, String(megabytes), String(processes)], {
            stdio: ['ignore', 'pipe', 'inherit'],
          });
          await once(program.stdout, 'data');
          return text('shared');
        },
      },
    }),
  'asks-client': () => {
    const answers = [];
    serve({
      calls: {
        ask: async () => {
          const methods = ['sampling/createMessage', 'roots/list', 'elicitation/create'];
          methods.forEach((method, at) => send({ id: `ask-${at}`, method, params: {} }));
          while (answers.length < methods.length) await new Promise((resolve) => setTimeout(resolve, 5));
          return text(answers.map((answer) => answer.error?.code));
        },
      },
      onMessage: (message) => {
        if (message.method === undefined) answers.push(message);
      },
    });
  },
  'changes-tools': () => {
    const seen = join(process.env.HOME, 'seen');
    const name = existsSync(seen) ? 'after' : 'before';
    writeFileSync(seen, '');
    serve({ tools: [tool(name)], calls: { echo, die: () => process.exit(1) } });
  },
  'echoes-secrets': () => {
    const secret = process.env.SECRET;
    const forms = {
      plain: secret,
      base64: Buffer.from(`user:${secret}`).toString('base64'),
      hex: Buffer.from(secret).toString('hex'),
      url: encodeURIComponent(secret),
      [secret]: 1,
    };
    console.error(`my secret is ${secret}`);
    serve({
      calls: {
        result: () => ({ ...text(forms), structuredContent: forms }),
        error: (given, { id }) =>
          send({ id, error: { code: -32000, message: `refused ${secret}`, data: { forms } } }),
        progress: (given, request) => (
          send({
            method: 'notifications/progress',
            params: { progressToken: request.params._meta.progressToken, progress: 1, message: secret },
          }),
          text('ok')
        ),
      },
    });
  },
  /** Its list of resources has no end; a page is of half a megabyte. */
  'endless-list': () =>
    serve({
      capabilities: { tools: {}, resources: {} },
      further: {
        'resources/list': ({ cursor = '0' }) => ({
          resources: Array.from({ length: 5 }, (_, at) => ({
            uri: `note://${cursor}/${at}`,
            name: 'x'.repeat(100_000),
          })),
          nextCursor: String(Number(cursor) + 1),
        }),
      },
    }),
  /** Reports the methods that it was sent, and gives the probe of the new era no answer. */
  'ignores-probe': () => {
    const methods = [];
    const further = { 'server/discover': () => undefined };
    serve({
      onMessage: ({ method }) => methods.push(method),
      calls: { methods: () => text(methods) },
      further,
    });
  },
  /** What stands before its first message on one line. */
  'leading-bytes': () => {
    process.stdout.write('\ufeff\u001b[32mready\u001b[0m\u001b]0;title\u0007');
    serve();
  },
  /** Declares tools only, and reports the methods that it was sent. */
  'tools-only': () => {
    const methods = [];
    serve({ onMessage: ({ method }) => methods.push(method), calls: { methods: () => text(methods) } });
  },
  /** Reports its process and its environment. The process id is no name of it: in a sandbox all have the same. */
  polite: () =>
    serve({
      calls: {
        echo,
        pid: () => text(`${process.pid} ${ownName}`),
        environment: () => text(process.env),
        count: (() => {
          let calls = 0;
          return () => text(String((calls += 1)));
        })(),
        wait: async ({ ms }) => (await new Promise((resolve) => setTimeout(resolve, ms)), text('waited')),
      },
    }),
};

modes[process.argv[2]]();
