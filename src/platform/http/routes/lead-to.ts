import type { Response } from 'express';

/** Redirects a browser. Express would repeat the address, which may have the state of a sign-in, in a body. */
export function leadTo(response: Response, address: string): void {
  response.status(303).location(address).end();
}
