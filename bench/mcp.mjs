// The cost of MCP: a start at each sandbox level, the gateway compared with a bridge, and invariants beside speed
// (see README.md).
import { ensureBuilt, ensureInstalled } from '../scripts/ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
const { starts } = await import('./mcp/starts.mjs');
const { gateway } = await import('./mcp/gateway.mjs');
const { lists } = await import('./mcp/lists.mjs');
const { sessions } = await import('./mcp/sessions.mjs');

const parts = { starts, gateway, lists, sessions };
const words = process.argv.slice(2).filter((word) => word in parts);
for (const [name, part] of Object.entries(parts)) {
  if (words.length > 0 && !words.includes(name)) continue;
  if ((await part()) === false) process.exitCode = 1;
}
