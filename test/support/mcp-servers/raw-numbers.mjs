// A server that writes numbers which JavaScript cannot hold, and returns the text of the requests that it gets. It writes
// its messages itself, because a serializer would round them. node raw-numbers.mjs [modern]
import { createInterface } from 'node:readline';

export const ODD =
  '{"id":1234567890123456789,"list":[9007199254740993,-0,{"big":1e400}],"dec":0.1234567890123456789,"text":"1234567890123456789"}';

const SCHEMA =
  '{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807,"default":9007199254740993}}}';
const FORM =
  '{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807,"default":9007199254740993}},"required":["id"]}';
const IS_MODERN = process.argv[2] === 'modern';

const tool = (name) => `{"name":"${name}","description":"d","inputSchema":${SCHEMA}}`;
const textOf = (line) => `"content":[{"type":"text","text":${JSON.stringify(line)}}]`;
const ANSWERS = {
  initialize: ({ params }) =>
    `{"protocolVersion":"${params.protocolVersion}","capabilities":{"tools":{},"prompts":{},"resources":{}},"serverInfo":{"name":"raw","version":"1"}}`,
  'tools/list': () => `{"tools":[${['get', 'fail', 'ask'].map(tool).join(',')}]}`,
  'prompts/list': () => `{"prompts":[{"name":"p","_meta":${ODD}}]}`,
  'prompts/get': () => `{"messages":[],"_meta":${ODD}}`,
  'resources/list': () => `{"resources":[{"uri":"raw:///a","name":"a","size":9007199254740993}]}`,
  'resources/templates/list': () => '{"resourceTemplates":[]}',
  'resources/read': () => `{"contents":[{"uri":"raw:///a","text":"","_meta":${ODD}}]}`,
  'tools/call': (_, line) => `{${textOf(line)},"structuredContent":${ODD},"_meta":${ODD}}`,
};

const progressOf = (token) =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":9007199254740993,"total":1e400,"message":"half"}}`;

export async function linesFor(line, ask) {
  const message = JSON.parse(line);
  const { id, method, params = {} } = message;
  if (id === undefined || method === undefined) return [];
  const response = (body) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}`;
  if (method === 'server/discover' && IS_MODERN) return [response(`"result":${DISCOVERED}`)];
  if (!ANSWERS[method]) return [response('"error":{"code":-32601,"message":"Method not found"}')];
  if (params.name === 'fail') return [response(`"error":{"code":-32050,"message":"no","data":${ODD}}`)];
  if (params.name === 'ask') {
    const answer = await ask(`{"mode":"form","message":"Which?","requestedSchema":${FORM}}`);
    return [response(`"result":{${textOf(answer)}}`)];
  }
  const token = method === 'tools/call' ? params._meta?.progressToken : undefined;
  const progress = token === undefined ? [] : [progressOf(JSON.stringify(token))];
  const result = ANSWERS[method](message, line);
  const complete = IS_MODERN
    ? `{"resultType":"complete","ttlMs":0,"cacheScope":"private",${result.slice(1)}`
    : result;
  return [...progress, response(`"result":${complete}`)];
}

const DISCOVERED =
  '{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{},"resources":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"raw","version":"1"}}}';

function serve() {
  let answered = () => undefined;
  const write = (line) => process.stdout.write(`${line}\n`);
  const ask = (params) =>
    new Promise((resolve) => {
      answered = resolve;
      write(`{"jsonrpc":"2.0","id":"question","method":"elicitation/create","params":${params}}`);
    });
  createInterface({ input: process.stdin }).on('line', async (line) => {
    if (JSON.parse(line).id === 'question') return answered(line);
    for (const sent of await linesFor(line, ask)) write(sent);
  });
}

if (process.argv[1]?.endsWith('raw-numbers.mjs')) serve();
