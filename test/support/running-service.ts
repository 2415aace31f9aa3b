/** How a process ended. One of the two is null. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A service that was started, in a process of its own or in the service host. */
export interface RunningService {
  readonly ended: Promise<Ending>;
  /** The complete output. */
  readonly log: string;
  readonly pid: number;
  readonly isRunning: boolean;
  /** Waits until the service listens and returns its address. @throws {Error} with the output when it did not start */
  ready(): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  end(): Promise<Ending>;
}
