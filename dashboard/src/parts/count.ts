const whole = new Intl.NumberFormat('en');

/** `12,345`: a figure whose last digit matters. */
export const sayNumber = (value: number): string => whole.format(value);

/** `1 agent`, `1,200 agents`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${whole.format(count)} ${count === 1 ? one : many}`;
