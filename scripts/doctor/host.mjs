import { hostVariables } from '../../dist/src/platform/config/load-settings.js';
import { probeSandbox } from '../../dist/src/mcp/processes/sandbox/sandbox-probe.js';
import { HostEnvironment, RuntimeService } from '../../dist/src/mcp/runtime/runtime.service.js';
import { note, ok, problem } from './verdict.mjs';

/** Reports the runtimes of servers. Node is present; entries for a missing runtime cannot be installed. */
export async function checkRuntimes() {
  const report = await new RuntimeService(new HostEnvironment(hostVariables())).report();
  const found = Object.entries(report).map(
    ([name, runtime]) => `${name} ${runtime.detected ? runtime.version : '-'}`,
  );
  const missing = ['python', 'pipx'].filter((name) => !report[name].detected);
  if (missing.length === 0) return ok(found.join(', '));
  return note(
    found.join(', '),
    `install ${missing.join(' and ')} to run Python servers, for instance with apt-get install python3 pipx`,
  );
}

export async function checkSandbox({ mcpSandbox }) {
  try {
    const level = await probeSandbox(mcpSandbox);
    if (level !== 'process-group') return ok(level);
    return mcpSandbox === 'off'
      ? note('off: server processes see what the service sees', 'set MCP_SANDBOX=auto')
      : note(
          'process-group, the weakest',
          'install bubblewrap and allow unprivileged user namespaces (docs/sandbox.md)',
        );
  } catch (error) {
    const [, says, fix] = /^(.*?)\. (.*?)\.?$/s.exec(error.message) ?? [
      null,
      error.message,
      'read docs/sandbox.md',
    ];
    return problem(says, fix);
  }
}
