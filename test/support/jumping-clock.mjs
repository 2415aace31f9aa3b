// Preloaded into a process (`node --import`): its wall clock jumps by hours, forward and back, every 100 ms.
const HOURS = 3_600_000;
const RealDate = Date;
const begin = performance.now();
const now = () => RealDate.now() + (Math.floor((performance.now() - begin) / 100) % 2 === 0 ? 5 : -5) * HOURS;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length > 0 ? args : [now()]));
  }

  static now() {
    return now();
  }
};
