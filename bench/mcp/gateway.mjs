import { resolve } from 'node:path';
import { echo } from './echo.mjs';
import { bringPeers, openSides } from './sides.mjs';

/** The agents' MCP endpoint beside the server's own and a bridge; true where it keeps up with both. */
export async function gateway() {
  await bringPeers();
  const at = process.argv.indexOf('--beside');
  const sides = await openSides(at === -1 ? undefined : resolve(process.argv[at + 1]));
  try {
    const slower = await echo(sides);
    for (const load of slower) console.log(`more than 20 % below the best at: ${load}`);
    return slower.length === 0;
  } finally {
    await Promise.all(sides.map(({ close }) => close()));
  }
}
