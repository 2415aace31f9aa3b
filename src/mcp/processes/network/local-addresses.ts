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
