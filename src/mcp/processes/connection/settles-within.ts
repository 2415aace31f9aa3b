/**
 * True when `work` settles within the time, either way; false otherwise. The timer is an ordinary one, cleared at
 * once: an unref-ed one would let a process end in the middle of a wait, one left behind would hold it up.
 */
export function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const settle = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    work.then(settle, settle);
  });
}
