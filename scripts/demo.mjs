// `npm run demo` performs the flows of the product over HTTP, as a person and as an agent. It uses the service at
// BASE_URL with API_KEY when both are set, and a temporary one otherwise. `-- --offline` skips the flow that downloads
// MCP servers; `-- --stay` shows a board whose agents keep working until Ctrl-C. Exits with 1 at the first unexpected
// result.
import { isCheckout, prepareCheckout } from './checkout.mjs';
import { usageOf } from './commands.mjs';

const { BASE_URL, API_KEY } = process.env;
const unknown = process.argv.slice(2).filter((argument) => !['--offline', '--stay'].includes(argument));
if (unknown.length > 0 || Boolean(BASE_URL) !== Boolean(API_KEY)) {
  const isHelp = unknown.length > 0 && unknown.every((argument) => ['--help', '-h'].includes(argument));
  if (unknown.length === 0) console.error(`${BASE_URL ? 'API_KEY' : 'BASE_URL'} is not set.`);
  (isHelp ? console.log : console.error)(usageOf('demo'));
  process.exit(isHelp ? 0 : 64);
}

await prepareCheckout();
// The package of the service has no runner: it is a package of its own.
if (isCheckout) await (await import('./build-runner.mjs')).buildRunner();
const { openService } = await import('./demo/service.mjs');
const { approvalFlow } = await import('./demo/approval-flow.mjs');
const { dependencyFlow } = await import('./demo/dependency-flow.mjs');
const { runnerFlow } = await import('./demo/runner-flow.mjs');
const { makeAgent, toolsFlow, revokeFlow } = await import('./demo/tools-flow.mjs');

const offline = process.argv.includes('--offline');
const stay = process.argv.includes('--stay');
if (stay && isCheckout) await (await import('./build-dashboard.mjs')).buildDashboard();
const service = await openService().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
let board;
try {
  board = stay ? await (await import('./demo/moving-board.mjs')).startBoard(service) : null;
  const agent = await makeAgent(service);
  const server = offline ? null : await toolsFlow(service, agent);
  await dependencyFlow(service, agent);
  if (isCheckout) await runnerFlow(service);
  await approvalFlow(service, server);
  if (server) await revokeFlow(service, agent, server);
  console.log(server ? '\nAll flows are done.' : '\nThe flows without MCP servers are done.');
  await board?.untilStopped();
} catch (error) {
  // Ctrl-C ends the service below the flows.
  if (!board?.stopped.aborted) fail(error);
} finally {
  await service.close();
}

function fail(error) {
  console.error(`\nThe demo failed: ${error.message}`);
  process.exitCode = 1;
}
