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
    return note(
      mcpSandbox === 'off' ? 'off: server processes see what the service sees' : 'process-group, the weakest',
      'install bubblewrap and allow unprivileged user namespaces (docs/sandbox.md)',
    );
  } catch (error) {
    return problem(error.message, 'see docs/sandbox.md for what each level needs');
  }
}
