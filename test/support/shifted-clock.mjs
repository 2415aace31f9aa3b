// Preloaded into a process (`node --import`): its wall clock is 400 days ahead, or CLOCK_AHEAD_SECONDS.
const AHEAD = Number(process.env.CLOCK_AHEAD_SECONDS ?? 400 * 86_400) * 1_000;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length > 0 ? args : [RealDate.now() + AHEAD]));
  }

  static now() {
    return RealDate.now() + AHEAD;
  }
};
