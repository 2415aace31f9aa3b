import process from 'node:process';
import { request } from 'undici';

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 64;
const EXIT_CONFIG = 78;

/** An error that a person must correct first. */
class NeedsPerson extends Error {}

/** Runs a command that calls a service, and returns its exit code. @param work returns an exit code */
export async function runClient(usage, work) {
  try {
    const code = await work();
    if (code === EXIT_USAGE) console.error(usage);
    return code;
  } catch (error) {
    if (String(error?.code).startsWith('ERR_PARSE_ARGS')) {
      console.error(usage);
      return EXIT_USAGE;
    }
    console.error(error instanceof Error ? error.message : String(error));
    return error instanceof NeedsPerson ? EXIT_CONFIG : EXIT_FAILED;
  }
}

/**
 * Sends a request to the service of BASE_URL with the key of API_KEY, which no argument carries: arguments are in the list of processes.
 * @returns the body of its answer
 * @throws {Error} with what the service says where it refuses
 */
export async function callService(method, path, { body, headers } = {}) {
  const { API_KEY: key, BASE_URL: base = 'http://127.0.0.1:3000' } = process.env;
  if (!key)
    throw new NeedsPerson('Set API_KEY to the key of a person who may do this; BASE_URL names the service.');
  const answer = await request(new URL(path, base), {
    method,
    body,
    headers: { ...headers, authorization: `Bearer ${key}` },
    bodyTimeout: 300_000,
    headersTimeout: 300_000,
  }).catch((error) => {
    throw new Error(
      `${base} does not answer (${error.code ?? error.message}). Name the service in BASE_URL.`,
    );
  });
  if (answer.statusCode < 300) return answer.body;
  const problem = await answer.body.json().catch(() => ({}));
  const said = problem.detail ?? `HTTP status ${answer.statusCode}`;
  throw answer.statusCode < 500 ? new NeedsPerson(said) : new Error(said);
}
