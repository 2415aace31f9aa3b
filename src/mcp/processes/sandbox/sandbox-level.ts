/**
 * How strongly a child process is contained, the strongest level first. docs/sandbox.md lists what each one guarantees.
 */
export type SandboxLevel = 'bubblewrap' | 'namespace' | 'process-group';

/**
 * MCP_SANDBOX. `auto` takes the strongest level that works, `require` refuses to start without one of the two strongest,
 * and `off` takes the weakest.
 */
export type SandboxSetting = 'auto' | 'require' | 'off';
