// `npm run demo` performs both flows of the product over HTTP, as a person and as an agent. It uses the service at
// BASE_URL with API_KEY when both are set, and a temporary one otherwise. `-- --offline` skips the flow that downloads
// MCP servers. Exits with 1 at the first unexpected result.
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';
import { FOR_START } from './install.mjs';

await ensureInstalled(FOR_START);
await ensureBuilt();
const { openService } = await import('./demo/service.mjs');
const { dependencyFlow } = await import('./demo/dependency-flow.mjs');
const { makeAgent, toolsFlow, revokeFlow } = await import('./demo/tools-flow.mjs');

const offline = process.argv.includes('--offline');
const service = await openService();
try {
  const agent = await makeAgent(service);
  const server = offline ? null : await toolsFlow(service, agent);
  await dependencyFlow(service, agent);
  if (server) await revokeFlow(service, agent, server);
  console.log(server ? '\nBoth flows are done.' : '\nThe flow without MCP servers is done.');
} catch (error) {
  console.error(`\nThe demo failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  await service.close();
}
