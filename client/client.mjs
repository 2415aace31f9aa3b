import createClient from 'openapi-fetch';

export function apiAt(url, key, options = {}) {
  const baseUrl = url.replace(/\/+$/, '');
  return createClient({ baseUrl, headers: { authorization: `Bearer ${key}` }, ...options });
}

export class Refused extends Error {
  constructor(response, problem) {
    super(`${new URL(response.url).pathname} returned ${response.status}: ${problem?.detail ?? 'no detail'}`);
    this.name = 'Refused';
    this.status = response.status;
    this.code = problem?.code;
    this.problem = problem;
    this.retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined;
  }
}

export async function dataOf(answer) {
  const { data, error, response } = await answer;
  if (!response.ok) throw new Refused(response, error);
  if (data === undefined || data === null || data === '') throw new Refused(response, undefined);
  return data;
}
