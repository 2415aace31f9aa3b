/** The runtimes of this host, as far as the catalogue needs them. */
export interface HostRuntimeReport {
  node: HostRuntime;
  python: HostRuntime;
  pipx: HostRuntime;
}

export type HostRuntime = { detected: true; version: string } | { detected: false };

/** Reports the runtimes of this host. The application binds it, because this folder imports no other MCP folder. */
export abstract class HostRuntimes {
  abstract report(): Promise<HostRuntimeReport>;
}
