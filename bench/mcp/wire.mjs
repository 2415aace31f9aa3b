import { Client } from 'undici';

/** A thin MCP client of the old era: one connection, one session, no library in the way of the figures. */
export class WireSession {
  constructor(url, key) {
    this.url = new URL(url);
    this.client = new Client(this.url.origin, { pipelining: 1 });
    this.headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key && { authorization: `Bearer ${key}` }),
    };
    this.id = 0;
  }

  /** @returns {Promise<this>} with its session begun, or without one where the server gives none */
  async begin() {
    const clientInfo = { name: 'bench', version: '1' };
    const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const { headers } = await this.post({ method: 'initialize', params: greeting, id: 0 });
    if (headers['mcp-session-id']) this.headers['mcp-session-id'] = headers['mcp-session-id'];
    this.headers['mcp-protocol-version'] = '2025-11-25';
    await this.post({ method: 'notifications/initialized' });
    return this;
  }

  /** Another connection of the same session. */
  twin() {
    const twin = new WireSession(this.url, null);
    twin.headers = this.headers;
    twin.id = Math.floor(Math.random() * 1e9);
    return twin;
  }

  /** The answer's text, SSE or JSON as it comes. */
  async request(method, params) {
    const { statusCode, text } = await this.post({ method, params, id: (this.id += 1) });
    if (statusCode !== 200) throw new Error(`${method} gave ${statusCode}: ${text.slice(0, 300)}`);
    return text;
  }

  async post(message) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const path = this.url.pathname;
    const answer = await this.client.request({ method: 'POST', path, headers: this.headers, body });
    const { statusCode, headers } = answer;
    return { statusCode, headers, text: await answer.body.text() };
  }

  close() {
    return this.client.destroy();
  }
}
