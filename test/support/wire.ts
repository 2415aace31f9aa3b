/** A response class as a client receives it: dates are ISO 8601 strings. */
export type Wire<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Field in keyof T]: Wire<T[Field]> }
      : T;

/** JSON that a test reads without declaring its type, because its expectations state it. */
export interface Loose {
  readonly [field: string]: Loose;
}

/** The body of an error response (RFC 9457). */
export interface Refusal {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  message: string;
  requestId: string;
  errors?: { path: string; message: string }[];
}
