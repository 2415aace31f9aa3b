/**
 * Reads JSON byte by byte without building it: how deep it nests, and the `id` of the object at its top.
 * So a frame too large to hold can still be matched with the call that it answers, and a frame too deep
 * is refused before JSON.parse and everything recursive behind it meets it.
 */
export class JsonOutline {
  /** The deepest nesting seen so far. */
  deepest = 0;
  private depth = 0;
  private inString = false;
  private escaped = false;
  private expectsKey = false;
  private token = '';
  private key = '';
  private idText = '';

  /** The number or string under the top object's `id`, or undefined while there is none. */
  get id(): number | string | undefined {
    try {
      const id: unknown = JSON.parse(this.idText.trim());
      return typeof id === 'number' || typeof id === 'string' ? id : undefined;
    } catch {
      // The text of the id is not complete JSON.
      return undefined;
    }
  }

  feed(bytes: Buffer): void {
    let backslash = -1;
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.inString && this.depth !== 1 && !this.escaped) {
        if (backslash < at) backslash = indexOrEnd(bytes, BACKSLASH, at);
        at = Math.min(indexOrEnd(bytes, QUOTE, at), backslash);
      }
      const byte = bytes[at];
      if (byte === undefined) return;
      if (this.inString) this.feedString(byte);
      else this.feedStructure(byte);
    }
  }

  private feedString(byte: number): void {
    if (this.escaped) this.escaped = false;
    else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) this.inString = false;
    if (this.depth === 1) this.collect(byte);
  }

  private feedStructure(byte: number): void {
    if (byte === QUOTE) {
      this.inString = true;
      if (this.depth === 1) this.collect(byte);
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      this.depth += 1;
      this.deepest = Math.max(this.deepest, this.depth);
      if (this.depth === 1) this.startMember(byte === OPEN_OBJECT);
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (this.depth === 1) this.endMember();
      this.depth -= 1;
    } else if (this.depth === 1) this.feedTopLevel(byte);
  }

  private feedTopLevel(byte: number): void {
    if (byte === COLON && this.expectsKey) {
      this.key = this.token.trim();
      this.token = '';
      this.expectsKey = false;
    } else if (byte === COMMA) {
      this.endMember();
      this.startMember(true);
    } else this.collect(byte);
  }

  private startMember(expectsKey: boolean): void {
    this.token = '';
    this.expectsKey = expectsKey;
  }

  private endMember(): void {
    if (this.key === '"id"' && !this.expectsKey) this.idText = this.token;
    this.key = '';
  }

  /** Keys and ids are short: what is longer is neither. */
  private collect(byte: number): void {
    if (this.token.length < 256) this.token += String.fromCharCode(byte);
  }
}

/** Most of a large frame is text, which is leapt over. */
function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
