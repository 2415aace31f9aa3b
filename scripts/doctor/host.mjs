import { hostVariables } from '../../dist/src/platform/config/host-variables.js';
import { probeSandbox } from '../../dist/src/mcp/processes/sandbox-level.js';
import { HostEnvironment } from '../../dist/src/mcp/runtime/host-environment.js';
import { RuntimeService } from '../../dist/src/mcp/runtime/runtime.service.js';
import { fault, note, ok } from './verdict.mjs';

/** What servers run on. Node is there; without the others their catalogue entries can't be installed. */
export async function checkRuntimes() {
  const report = await new RuntimeService(new HostEnvironment(hostVariables())).report();
  const told = Object.entries(report).map(
    ([name, found]) => `${name} ${found.detected ? found.version : '-'}`,
  );
  const missing = ['python', 'pipx'].filter((name) => !report[name].detected);
  if (missing.length === 0) return ok(told.join(', '));
  return note(
    told.join(', '),
    `install ${missing.join(' and ')} where python servers are wanted, such as apt-get install python3 pipx`,
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
    return fault(error.message, 'docs/sandbox.md tells what each level needs');
  }
}
