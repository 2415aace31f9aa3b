// A server that reads its tools as JSON from the file TOOLS_FILE for each listing; `$HOME` and `$TMPDIR` in them are those of
// its process. The tool `changed` sends `tools/list_changed`; `listings` returns how often its process has listed; `process`
// returns an id of its process; `refuse` and `unreachable` return errors; every other tool returns its arguments.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { send, serve, text } from './minimal-server.mjs';

const tools = [];
const id = randomUUID();
let listings = 0;
const readTools = () =>
  tools.splice(0, tools.length, ...JSON.parse(named(readFileSync(process.env.TOOLS_FILE, 'utf8'))));
const named = (json) => json.replaceAll('$HOME', process.env.HOME).replaceAll('$TMPDIR', process.env.TMPDIR);
const known = {
  changed: () => (send({ method: 'notifications/tools/list_changed' }), text('told')),
  listings: () => text(String(listings)),
  process: () => text(id),
  unreachable: () => ({ ...text('getaddrinfo ENOTFOUND api.example.com'), isError: true }),
  refuse: () => ({ ...text('The key is not valid.'), isError: true }),
};
const calls = new Proxy(known, { get: (_, name) => known[name] ?? ((given) => text(given ?? {})) });

readTools();
serve({
  calls,
  tools,
  capabilities: { tools: { listChanged: true } },
  onMessage: ({ method }) => method === 'tools/list' && (readTools(), (listings += 1)),
});
