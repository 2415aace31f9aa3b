/** The result of a check. A `problem` prevents the service from working, a `note` is a hint. Both say what to do. */
export const ok = (says) => ({ level: 'ok', says });
export const note = (says, fix) => ({ level: 'note', says, fix });
export const problem = (says, fix) => ({ level: 'ERROR', says, fix });

/** Returns the code or name of an error of the operating system, the database or the store. Messages may hold secrets. */
export function nameOf(error) {
  return error?.code ?? error?.name ?? 'unknown error';
}
