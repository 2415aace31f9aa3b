// `npm run demo`: both flows of the product over HTTP, as a person and as an agent would do them. Uses the
// service at BASE_URL with API_KEY where both are set, else a throw-away one. Exits 1 at the first step that
// is not what it should be.
import { dependencyFlow } from './demo/dependency-flow.mjs';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
const { openService } = await import('./demo/service.mjs');
const { makeAgent, toolsFlow, revokeFlow } = await import('./demo/tools-flow.mjs');

const service = await openService();
try {
  const agent = await makeAgent(service);
  const server = await toolsFlow(service, agent);
  await dependencyFlow(service, agent);
  await revokeFlow(service, agent, server);
  console.log('\nBoth flows are done.');
} catch (fault) {
  console.error(`\nThe demo failed: ${fault.message}`);
  process.exitCode = 1;
} finally {
  await service.close();
}
