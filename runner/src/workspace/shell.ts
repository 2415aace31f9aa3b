import { Child } from '../processes/child.js';

const MAX_OUTPUT = 64 * 2 ** 20;

/** A step before or after the agent's work failed. The message ends with the last lines of its output. */
export class StepFailed extends Error {}

export interface Step {
  name: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  mark: string;
  timeout: number;
}

/** Runs a command and waits for its end. @throws {StepFailed} when it fails, or lasts too long */
export async function runStep(
  { name, command, cwd, env, mark, timeout }: Step,
  signal?: AbortSignal,
): Promise<void> {
  const child = new Child({ command, cwd, env, mark, maxOutput: MAX_OUTPUT });
  child.readText();
  child.stdin.end();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void child.stop();
  }, timeout);
  const cancel = () => void child.stop();
  signal?.addEventListener('abort', cancel);
  const how = await child.ended;
  clearTimeout(timer);
  signal?.removeEventListener('abort', cancel);
  signal?.throwIfAborted();
  if (child.code === 0 && !late) return;
  const problem = late ? `lasted longer than ${timeout / 1000} s` : how;
  throw new StepFailed(`${name} ${problem}.\n\n${child.lastWords}`);
}
