/** What this host has (spec §3.2). A runtime that is not there is `{ detected: false }` alone. */
export interface RuntimeReport {
  node: FoundRuntime | MissingRuntime;
  python: FoundRuntime | MissingRuntime;
  pipx: FoundRuntime | MissingRuntime;
}

export interface FoundRuntime {
  detected: true;
  /** Without a leading v. */
  version: string;
  /** Absolute. */
  path: string;
}

export interface MissingRuntime {
  detected: false;
}
