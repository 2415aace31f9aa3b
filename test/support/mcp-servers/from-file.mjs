// A server whose tools stand as JSON in the file TOOLS_FILE, read anew for each listing. Calling `changed` makes it say
// that its list has changed; every other tool answers with its arguments.
import { readFileSync } from 'node:fs';
import { send, serve, text } from './kit.mjs';

const tools = [];
const readTools = () =>
  tools.splice(0, tools.length, ...JSON.parse(readFileSync(process.env.TOOLS_FILE, 'utf8')));
const changed = () => (send({ method: 'notifications/tools/list_changed' }), text('told'));
const calls = new Proxy(
  {},
  { get: (_, name) => (name === 'changed' ? changed : (given) => text(given ?? {})) },
);

readTools();
serve({
  calls,
  tools,
  capabilities: { tools: { listChanged: true } },
  onMessage: ({ method }) => method === 'tools/list' && readTools(),
});
