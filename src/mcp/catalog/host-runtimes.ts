/** What the catalogue needs to know of this host. */
export interface HostRuntimeReport {
  node: HostRuntime;
  python: HostRuntime;
  pipx: HostRuntime;
}

export type HostRuntime = { detected: true; version: string } | { detected: false };

/** Whoever looks what this host has; bound where the modules are put together, since this room knows no other. */
export abstract class HostRuntimes {
  abstract report(): Promise<HostRuntimeReport>;
}
