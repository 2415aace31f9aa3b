import { z } from 'zod';

/** The errors of oauth4webapi: `ResponseBodyError` and `WWWAuthenticateChallengeError`. */
const refusal = z.union([
  z.object({ error: z.string() }),
  z.object({ cause: z.array(z.object({ parameters: z.object({ error: z.string().optional() }) })) }),
]);

/**
 * Returns the code with which an authorization server refused a request (RFC 6749), or null if it gave no usable answer.
 * A refusal has its code in the body, or with 401 in the challenge.
 */
export function refusalCodeOf(error: unknown): string | null {
  const parsed = refusal.safeParse(error);
  if (!parsed.success) return null;
  const code = 'error' in parsed.data ? parsed.data.error : parsed.data.cause[0]?.parameters.error;
  return code !== undefined && /^[a-z_]{1,40}$/.test(code) ? code : null;
}
