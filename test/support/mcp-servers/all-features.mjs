// A server with everything that MCP has beside tools: prompts, resources, templates and completions. Its tools report
// progress, hang until they are cancelled, and return every kind of content; `heard` returns what the client sent.
import { createInterface } from 'node:readline';
import { send, text, tool } from './minimal-server.mjs';

const heard = [];
const watched = new Set();
const UPDATED = 'notifications/resources/updated';
const progress = (params, n) =>
  send({
    method: 'notifications/progress',
    params: { progressToken: params._meta?.progressToken, progress: n, total: 3, message: `step ${n}` },
  });

const calls = {
  work: (params) => {
    for (const n of [1, 2, 3]) progress(params, n);
    return text('done');
  },
  hang: (params) => void progress(params, 1),
  heard: () => ({ ...text(heard), structuredContent: { heard } }),
  meta: (params) => ({
    ...text(params._meta ?? {}),
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'x' }, kept: 'yes' },
  }),
  rich: () => ({
    content: [
      { type: 'text', text: 'a', annotations: { priority: 0.5, custom: [1] }, unknown: { kept: true } },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'note://1', name: 'one' },
      { type: 'resource', resource: { uri: 'note://1', text: 'first' } },
    ],
    structuredContent: { rows: [{ n: 1 }], 'odd key': null },
    own: 'field',
  }),
  fails: () => ({ ...text('the disk is full'), isError: true }),
  breaks: () => {
    throw Object.assign(new Error('no such table'), { code: -32042, data: { table: 'x' } });
  },
  'odd name/with:colons and more than enough characters for anyone': () => text('odd'),
  write: () => (watched.forEach((uri) => send({ method: UPDATED, params: { uri } })), text('written')),
  leave: () => process.exit(0),
  'another prompt': () => (
    prompts.push({ name: 'later' }),
    send({ method: 'notifications/prompts/list_changed' }),
    text('told')
  ),
};

const prompts = [
  {
    name: 'greet',
    title: 'Greeting',
    description: 'greets',
    arguments: [{ name: 'who', required: true }],
    custom: 1,
  },
  { name: 'an odd prompt!' },
];
const withOutput = {
  ...tool('rich'),
  outputSchema: { type: 'object', properties: { rows: { type: 'array' } } },
  annotations: { readOnlyHint: true },
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: {
      tools: {},
      prompts: { listChanged: true },
      resources: { subscribe: true },
      completions: {},
    },
    serverInfo: { name: 'offering', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.keys(calls).map((name) => (name === 'rich' ? withOutput : tool(name))),
  }),
  'tools/call': (params) => calls[params.name](params),
  'prompts/list': ({ cursor }) =>
    cursor ? { prompts: prompts.slice(1) } : { prompts: prompts.slice(0, 1), nextCursor: 'rest' },
  'prompts/get': ({ name, arguments: given }) => ({
    description: name,
    messages: [
      { role: 'user', content: { type: 'text', text: `${name} ${given?.who ?? ''}` } },
      { role: 'user', content: { type: 'resource', resource: { uri: 'note://1', text: 'first' } } },
    ],
  }),
  'resources/list': () => ({ resources: [{ uri: 'note://1', name: 'one', size: 5 }] }),
  'resources/subscribe': ({ uri }) => (watched.add(uri), {}),
  'resources/unsubscribe': ({ uri }) => (watched.delete(uri), {}),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'note://{id}', name: 'notes' }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: `content of ${uri}` }] }),
  'completion/complete': ({ ref, argument }) => ({
    completion: { values: [`${ref.name ?? ref.uri}:${argument.value}!`], total: 1 },
  }),
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (method === 'notifications/cancelled') heard.push(`cancelled: ${params.reason ?? 'no reason'}`);
  if (id === undefined || method === undefined) return;
  try {
    if (!answers[method]) throw Object.assign(new Error('Method not found'), { code: -32601 });
    const result = await answers[method](params);
    if (result !== undefined) send({ id, result });
  } catch ({ code = -32603, message, data }) {
    send({ id, error: { code, message, data } });
  }
});
