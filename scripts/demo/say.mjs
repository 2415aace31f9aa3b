// @ts-check
/** A heading, a step with its result, and what must hold. */
export const say = {
  /** @param {string} title */
  flow: (title) => console.log(`\n== ${title}`),
  /** @param {string} what @param {string} result */
  step: (what, result) => console.log(`   ${what}\n     -> ${result}`),
};

/**
 * Ends the demo where a step is not what it should be.
 * @param {boolean} holds @param {string} what
 * @returns {asserts holds}
 */
export function must(holds, what) {
  if (!holds) throw new Error(what);
}
