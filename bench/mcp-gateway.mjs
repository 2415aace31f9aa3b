// The agents' MCP endpoint beside a server's own and a bridge (README.md beside this file).
import { ensureBuilt, ensureInstalled } from '../scripts/ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
const { bringPeers, openSides } = await import('./mcp/sides.mjs');
const { echo } = await import('./mcp/echo.mjs');

await bringPeers();
const sides = await openSides();
try {
  const slower = await echo(sides);
  for (const load of slower) console.log(`more than 20 % below the best at: ${load}`);
  if (slower.length > 0) process.exitCode = 1;
} finally {
  await Promise.all(sides.map(({ close }) => close()));
}
