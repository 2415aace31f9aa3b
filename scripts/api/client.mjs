// @ts-check
import createClient from 'openapi-fetch';

/** @typedef {import('openapi-fetch').Client<import('./schema.js').paths>} Api */

/**
 * The service's API, typed by its OpenAPI document: a path, a field or a value that is not in it does not pass
 * `npm run types`.
 * @param {string} url @param {string} key of a person or an agent
 * @returns {Api}
 */
export function apiAt(url, key) {
  return createClient({ baseUrl: url, headers: { authorization: `Bearer ${key}` } });
}

/** A refusal; `code` is the stable one. */
export class Refused extends Error {
  /** @param {Response} response @param {{ code?: string, detail?: string } | undefined} problem */
  constructor(response, problem) {
    super(`${new URL(response.url).pathname} answered ${response.status}: ${problem?.detail ?? 'nothing'}`);
    this.code = problem?.code;
  }
}

/**
 * What an answer holds.
 * @template T
 * @param {Promise<{ data?: T, error?: unknown, response: Response }>} answer
 * @returns {Promise<NonNullable<T>>}
 */
export async function dataOf(answer) {
  const { data, error, response } = await answer;
  if (!response.ok || data === undefined || data === null)
    throw new Refused(response, /** @type {{ code?: string, detail?: string } | undefined} */ (error));
  return data;
}
