// @ts-check
/** Prints a heading, prints a step with its result, and checks a condition. */
export const say = {
  /** @param {string} title */
  flow: (title) => console.log(`\n== ${title}`),
  /** @param {string} what @param {string} result */
  step: (what, result) => console.log(`   ${what}\n     -> ${result}`),
};

/**
 * Ends the demo when a step has an unexpected result.
 * @param {boolean} holds @param {string} what
 * @returns {asserts holds}
 */
export function must(holds, what) {
  if (!holds) throw new Error(what);
}
