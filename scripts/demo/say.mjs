/** A heading, a step with its result, and what must hold. */
export const say = {
  flow: (title) => console.log(`\n== ${title}`),
  step: (what, result) => console.log(`   ${what}\n     -> ${result}`),
};

/** Ends the demo where a step is not what it should be. */
export function must(holds, what) {
  if (!holds) throw new Error(what);
}
