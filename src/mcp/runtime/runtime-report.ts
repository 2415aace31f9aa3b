/** The runtimes of this host (contract §3.2). A runtime that the host lacks is `{ detected: false }` alone. */
export interface RuntimeReport {
  node: FoundRuntime | MissingRuntime;
  python: FoundRuntime | MissingRuntime;
  pipx: FoundRuntime | MissingRuntime;
}

export interface FoundRuntime {
  detected: true;
  /** The version without a leading v. */
  version: string;
  /** An absolute path. */
  path: string;
}

export interface MissingRuntime {
  detected: false;
}
