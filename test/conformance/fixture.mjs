// The server under test of the official conformance suite: the tools, prompts and resources that its scenarios ask
// for, on the SDK, over HTTP, in both protocol eras. What a gateway for unattended agents has not is not here either:
// sampling, roots, logging (baseline.yml explains why).
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  completable,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  isInitializeRequest,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { schema202012 } from './schema-2020-12.mjs';
import { registerQuestions, requestState } from './questions.mjs';
import { readBody } from './read-body.mjs';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const text = (value) => ({ type: 'text', text: value });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const resource = (uri, mimeType, content) => ({
  type: 'resource',
  resource: { uri, mimeType, text: content },
});
const userSays = (content) => ({ role: 'user', content });

const tools = {
  test_simple_text: () => [text('This is a simple text response for testing.')],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: () => [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: () => [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_logging_tool: () => [text('Nothing is logged to a client that asked for nothing.')],
  test_streaming_elicitation: () => [text('No input is requested.')],
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      await sleep(50);
    }
    return [text('Progress was reported.')];
  },
};

const prompts = {
  test_simple_prompt: [{}, () => [userSays(text('This is a simple prompt for testing.'))]],
  test_prompt_with_arguments: [
    {
      arg1: completable(z.string(), (value) =>
        ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
      ),
      arg2: z.string(),
    },
    ({ arg1, arg2 }) => [userSays(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  ],
  test_prompt_with_embedded_resource: [
    { resourceUri: z.string() },
    ({ resourceUri }) => [
      userSays(resource(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      userSays(text('Please process the embedded resource above.')),
    ],
  ],
  test_prompt_with_image: [{}, () => [userSays(image), userSays(text('Please analyze the image above.'))]],
};

/** What the scenarios change while a client listens: a tool and a prompt that come and go. */
const passing = { tool: false, prompt: false };

/** @param notify notifies the listeners of a change */
export function conformanceServer(notify) {
  const capabilities = {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true },
    // It logs nothing, and the SDK answers `logging/setLevel`, as the service does for sessions of the old era.
    logging: {},
  };
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    { capabilities, requestState },
  );
  registerQuestions(server);
  // In the new era they are streams, which the SDK keeps.
  if (!notify)
    for (const method of ['resources/subscribe', 'resources/unsubscribe'])
      server.server.setRequestHandler(method, () => ({}));
  const trigger = (kind, tell) => () => {
    passing[kind] = !passing[kind];
    tell?.();
    return { content: [text('changed')] };
  };
  const changes = { description: 'Changes a list' };
  server.registerTool('test_trigger_tool_change', changes, trigger('tool', notify?.toolsChanged));
  server.registerTool('test_trigger_prompt_change', changes, trigger('prompt', notify?.promptsChanged));
  if (passing.tool)
    server.registerTool('test_passing', { description: 'Comes and goes' }, () => ({ content: [] }));
  if (passing.prompt)
    server.registerPrompt('test_passing', { description: 'Comes and goes' }, () => ({ messages: [] }));
  for (const [name, content] of Object.entries(tools))
    server.registerTool(name, { description: `The scenario's ${name}` }, async (context) => ({
      content: await content(context),
    }));
  const question = { messages: [userSays(text('What now?'))], maxTokens: 10 };
  server.registerTool('test_missing_capability', { description: 'Asks a model of the client' }, () =>
    inputRequired({ inputRequests: { answer: { method: 'sampling/createMessage', params: question } } }),
  );
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Tool with JSON Schema 2020-12 features', inputSchema: fromJsonSchema(schema202012) },
    () => ({ content: [text('valid')] }),
  );
  for (const [name, [argsSchema, messages]] of Object.entries(prompts)) {
    const description = `The scenario's ${name}`;
    if (Object.keys(argsSchema).length === 0)
      server.registerPrompt(name, { description }, () => ({ messages: messages() }));
    else
      server.registerPrompt(name, { description, argsSchema: z.object(argsSchema) }, (given) => ({
        messages: messages(given),
      }));
  }
  const about = (mimeType) => ({ description: 'A resource of the scenarios', mimeType });
  server.registerResource('static-text', 'test://static-text', about('text/plain'), ({ href }) => ({
    contents: [
      { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  server.registerResource('static-binary', 'test://static-binary', about('image/png'), ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
  }));
  server.registerResource('watched', 'test://watched-resource', about('text/plain'), ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'It could change at any time.' }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, about('application/json'), ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }));
  return server;
}

/** Serves both eras on a free port of loopback. */
export async function startFixture() {
  const sessions = new Map();
  const handler = createMcpHandler(() => conformanceServer(handler.notify), { legacy: 'reject' });
  const modern = toNodeHandler(handler);
  const begin = async () => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
      onsessionclosed: (id) => sessions.delete(id),
    });
    await conformanceServer().connect(transport);
    return transport;
  };
  const http = createServer(async (request, response) => {
    const { origin } = request.headers;
    if (origin !== undefined && !/^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(origin))
      return response.writeHead(403).end();
    const body = parsed((await readBody(request)).toString());
    const session = sessions.get(request.headers['mcp-session-id']);
    if (session) return session.handleRequest(request, response, body);
    if (request.headers['mcp-session-id']) return response.writeHead(404).end();
    if (isInitializeRequest(body)) return (await begin()).handleRequest(request, response, body);
    return modern(request, response, body);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return { port: http.address().port, close: () => (http.close(), http.closeAllConnections()) };
}

function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
