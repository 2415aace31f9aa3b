/** More names than any server needs; beyond them the oldest is forgotten. */
const MOST_NAMES = 4_096;

/**
 * Gives every name that a server resolves a loopback address of its own, 127.64.0.0/10. A connection to the address
 * arrives at the service, which reads the name from it.
 */
export class LocalAddresses {
  private readonly byName = new Map<string, string>();
  private readonly byAddress = new Map<string, string>();
  private last = 0;

  of(name: string): string {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    if (this.byName.size >= MOST_NAMES) this.forgetOldest();
    this.last = (this.last + 1) % 2 ** 22;
    const address = `127.${64 + (this.last >> 16)}.${(this.last >> 8) & 255}.${this.last & 255}`;
    this.byName.set(name, address);
    this.byAddress.set(address, name);
    return address;
  }

  /** Returns the name that an address was given to, or the address itself. */
  nameOf(address: string): string {
    return this.byAddress.get(address) ?? address;
  }

  private forgetOldest(): void {
    const [oldest] = this.byName;
    if (!oldest) return;
    this.byName.delete(oldest[0]);
    this.byAddress.delete(oldest[1]);
  }
}

/** A question of a DNS query, as far as the resolver of a sandbox answers it. */
export interface DnsQuestion {
  name: string;
  type: number;
}

export const TYPE_A = 1;
export const NAME_ERROR = 3;
export const SERVER_FAILURE = 2;

const HEADER_BYTES = 12;
const RESPONSE_FLAGS = 0x8180;
const CLASS_IN = 1;
const TTL_SECONDS = 30;

/** Returns the one question of a query; null for a message that is no query with one question. */
export function questionOf(query: Buffer): (DnsQuestion & { end: number }) | null {
  if (query.length < HEADER_BYTES + 5 || (query[2]! & 0xf8) !== 0 || query.readUInt16BE(4) !== 1) return null;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]; length !== 0; length = query[at]) {
    if (length === undefined || length > 63 || at + 1 + length >= query.length) return null;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (at + 5 > query.length || query.readUInt16BE(at + 3) !== CLASS_IN) return null;
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Returns the response to a query. @param addresses IPv4 addresses; none is an empty answer */
export function responseTo(query: Buffer, end: number, addresses: readonly string[], code = 0): Buffer {
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(RESPONSE_FLAGS | code, 2);
  [1, addresses.length, 0, 0].forEach((count, place) => header.writeUInt16BE(count, 4 + 2 * place));
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...addresses.map(addressRecord)]);
}

function addressRecord(address: string): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc00c, 0); // The name of the question.
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(CLASS_IN, 4);
  record.writeUInt32BE(TTL_SECONDS, 6);
  record.writeUInt16BE(4, 10);
  address.split('.').forEach((part, place) => record.writeUInt8(Number(part), 12 + place));
  return record;
}
