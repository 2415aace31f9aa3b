/**
 * How many cases a property test makes. CI draws others in each run, so that a few hundred per run find more in a week
 * than the same thousands would; the nightly run makes them all.
 */
export const GENERATED_CASES = process.env['TEST_SIZE'] === 'full' ? 2_000 : 300;
