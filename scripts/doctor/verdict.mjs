/** What a check found. `fault` keeps the service from its work; `note` is worth knowing. Both say how to mend it. */
export const ok = (says) => ({ level: 'ok', says });
export const note = (says, mend) => ({ level: 'note', says, mend });
export const fault = (says, mend) => ({ level: 'FAULT', says, mend });

/** The name that an operating system, a database or a store has for a fault: their messages may hold secrets. */
export function nameOf(error) {
  return error?.code ?? error?.name ?? 'unknown fault';
}
