// MCP: what a start costs at each sandbox level, and the gateway beside a bridge (README.md beside this file).
import { ensureBuilt, ensureInstalled } from '../scripts/ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
const { starts } = await import('./mcp/starts.mjs');
const { gateway } = await import('./mcp/gateway.mjs');

const words = process.argv.slice(2).filter((word) => word === 'starts' || word === 'gateway');
if (words.length === 0 || words.includes('starts')) await starts();
if ((words.length === 0 || words.includes('gateway')) && !(await gateway())) process.exitCode = 1;
