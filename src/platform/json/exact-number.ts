import { randomBytes } from 'node:crypto';

/**
 * A number whose digits JavaScript cannot hold, such as 1234567890123456789, 1e400 or -0. It is a Number, so that code
 * that calculates or serializes it as usual gets the nearest one, as `JSON.parse` would give it. `jsonText` writes its
 * digits.
 */
export class ExactNumber extends Number {
  static #isWritten = false;
  static #met = false;

  /** @param text as JSON has it */
  constructor(readonly text: string) {
    super(text);
    // A copy of its members must not look like data.
    Object.defineProperty(this, 'text', { enumerable: false });
  }

  /** Returns what `JSON.stringify` makes of a value in which exact numbers are marks, and whether there were any. */
  static marking(value: unknown, indent?: number): { text: string; met: boolean } {
    const before = [ExactNumber.#isWritten, ExactNumber.#met] as const;
    [ExactNumber.#isWritten, ExactNumber.#met] = [true, false];
    try {
      return { text: JSON.stringify(value, null, indent), met: ExactNumber.#met };
    } finally {
      [ExactNumber.#isWritten, ExactNumber.#met] = before;
    }
  }

  toJSON(): string | number {
    if (!ExactNumber.#isWritten) return Number(this);
    ExactNumber.#met = true;
    return markOf(this.text);
  }
}

/** Returns whether a value is a number of JSON, whatever its digits. */
export function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Returns whether a value is an object of JSON. An exact number is an object of JavaScript and none of JSON. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/**
 * Begins a string that stands for an exact number where foreign code parses, validates or serializes JSON. No client and
 * no server can send such a string, since it is drawn at each start and never leaves the process.
 */
export const MARK = `exact-number:${randomBytes(16).toString('hex')}:`;

export function markOf(digits: string): string {
  return MARK + digits;
}

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Returns whether JavaScript changes the value, or the sign, of a number of JSON; false for what is no number of JSON. */
export function isInexact(text: string): boolean {
  // Most programs write a number as JavaScript does, and the comparison of two decimals is ten times slower.
  if (String(Number(text)) === text) return false;
  const written = decimalOf(text);
  return written !== null && written !== decimalOf(asJavaScript(text));
}

function asJavaScript(text: string): string {
  const value = Number(text);
  return Object.is(value, -0) ? '0' : String(value);
}

/** Returns one form of all texts of the same number: its sign, its digits from the first to the last that is not 0, and where they begin. */
function decimalOf(text: string): string | null {
  const [, sign, whole, fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return `${sign}0`;
  const zeros = digits.length - kept.length;
  return `${sign}${kept}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(zeros)}`;
}
