import { Semaphore } from '../../../platform/concurrency/semaphore.js';
import { systemResolver, type Resolver } from '../../../platform/http/outbound/outbound-address.js';

/**
 * A lookup holds one of the four threads that also read files and hash passwords for the whole service, for many seconds
 * where the name servers of a domain do not answer.
 */
const AT_ONCE = new Semaphore(3);
const AT_ONCE_PER_SERVER = 2;
const MOST_WAITING = 64;

/** Resolves names for one server, a few at a time, so that a server with many slow names does not stop the service. */
export class NameLookups {
  private readonly own = new Semaphore(AT_ONCE_PER_SERVER);
  private readonly running = new Map<string, Promise<string[]>>();

  constructor(private readonly resolver: Resolver = systemResolver) {}

  /** @throws {Error} when too many names wait already */
  readonly resolve: Resolver = (name) => {
    const known = this.running.get(name);
    if (known) return known;
    const lookup = this.lookUp(name).finally(() => this.running.delete(name));
    this.running.set(name, lookup);
    return lookup;
  };

  private async lookUp(name: string): Promise<string[]> {
    if (this.own.waiting >= MOST_WAITING) throw new Error('too many of its names are being resolved.');
    return this.own.run(() => AT_ONCE.run(() => this.resolver(name)));
  }
}
