// Stands between the suite and an agent's endpoint. The suite sends no key, and knows the fixture's own names: so this
// adds the key, and takes the server's part off names and addresses on the way back and puts it before them on the way
// in, but for the platform's own tools. Everything else passes as it is, headers and status included.
import { once } from 'node:events';
import { createServer, request as open } from 'node:http';
import { readBody } from './read-body.mjs';

const NAMED = new Set(['tools/call', 'prompts/get']);
const ADDRESSED = new Set(['resources/read', 'resources/subscribe', 'resources/unsubscribe']);

/** @param {{ target: URL, key: string, slug: string }} options read at each request */
export async function startProxy(options) {
  const advertised = (name) => (name.startsWith('platform__') ? name : `${options.slug}__${name}`);
  const addressed = (uri) => `awp+${options.slug}:${uri}`;

  const inward = (message) => {
    const { method, params } = message ?? {};
    if (NAMED.has(method) && typeof params?.name === 'string') params.name = advertised(params.name);
    if (ADDRESSED.has(method) && typeof params?.uri === 'string') params.uri = addressed(params.uri);
    if (params?.ref?.type === 'ref/prompt') params.ref.name = advertised(params.ref.name);
    if (params?.ref?.type === 'ref/resource') params.ref.uri = addressed(params.ref.uri);
    return message;
  };
  const outward = (text) => text.replaceAll(`${options.slug}__`, '').replaceAll(`awp+${options.slug}:`, '');

  const server = createServer(async (request, response) => {
    const headers = { ...request.headers, host: options.target.host, authorization: `Bearer ${options.key}` };
    let body = await readBody(request);
    try {
      const message = JSON.parse(body.toString());
      const header = headers['mcp-name'];
      const own = message.params?.name ?? message.params?.uri;
      inward(message);
      // A header that belies the body must go on belying it.
      if (header !== undefined)
        headers['mcp-name'] = header.replace(own, message.params?.name ?? message.params?.uri);
      body = Buffer.from(JSON.stringify(message));
      headers['content-length'] = String(body.length);
    } catch {
      // What is no JSON passes as it came.
    }
    const onward = open(options.target, { method: request.method, headers }, (answer) => {
      delete answer.headers['content-length'];
      response.writeHead(answer.statusCode, answer.headers);
      let rest = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop();
        for (const line of lines) response.write(outward(`${line}\n`));
      });
      answer.on('end', () => response.end(outward(rest)));
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, close: () => (server.close(), server.closeAllConnections()) };
}
