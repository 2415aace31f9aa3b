/** What a response class looks like to a client: its times are ISO 8601 text. */
export type Wire<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Field in keyof T]: Wire<T[Field]> }
      : T;

/** JSON that a test looks into without saying what it is: its expectations do. */
export interface Loose {
  readonly [field: string]: Loose;
}

/** A refusal's body (RFC 9457). */
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
