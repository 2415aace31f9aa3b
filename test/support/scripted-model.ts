import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dialects, type Heard, type Step } from './scripted-dialects.js';

/**
 * A model on loopback in the dialects of Anthropic, OpenAI (two) and Gemini: it comments on the issue with the tools of the
 * runner, and says that it is done. A call that was refused is made again when it is asked to go on.
 */
export class ScriptedModel {
  /** How many requests there were. */
  requests = 0;
  /** The paths of requests that it could not answer. */
  readonly unknown: string[] = [];
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    model.server.listen(0, '127.0.0.1');
    await once(model.server, 'listening');
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    this.requests += 1;
    const { pathname, search } = new URL(request.url ?? '/', this.url);
    if (pathname.includes('count_tokens') || pathname.includes('countTokens'))
      return json(response, { input_tokens: 10, totalTokens: 10 });
    const dialect = dialects.find(({ path }) => path.test(pathname));
    if (!dialect || request.method !== 'POST') {
      this.unknown.push(`${request.method} ${pathname}`);
      return json(response, { object: 'list', data: [{ id: 'scripted', object: 'model' }], models: [] });
    }
    const body = (text ? JSON.parse(text) : {}) as Record<string, unknown>;
    const step = nextStep(dialect.read(body), this.requests);
    const isStream = body['stream'] === true || pathname.includes('stream') || search.includes('sse');
    if (!isStream) return json(response, dialect.whole(step, body, this.requests));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [name, data] of dialect.events(step, body, this.requests))
      response.write(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
    response.end(dialect.path.source.includes('chat') ? 'data: [DONE]\n\n' : '');
  }
}

/** The id of a call says what it was for, because its result has nothing else of it. */
function nextStep({ tools, done, latest }: Heard, count: number): Step {
  const named = (end: string) => tools.find((name) => name.endsWith(end));
  const has = (ids: string[], call: string) => ids.some((id) => id.startsWith(call));
  const [comment, search] = [named('add_comment'), named('ToolSearch')];
  if (has(done, 'toolu_comment_')) return { text: 'I have commented.' };
  if (comment) return { id: `toolu_comment_${count}`, name: comment, input: { content: 'From the model.' } };
  // Claude Code keeps the tools of servers back until the model searches for them.
  if (search && !has(latest, 'toolu_search_'))
    return {
      ...{ id: `toolu_search_${count}`, name: search },
      input: { query: 'select:mcp__work__platform__add_comment' },
    };
  return { text: `No tool among ${tools.join(' ')}.` };
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
