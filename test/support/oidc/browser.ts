import type { Dispatcher } from 'undici';
import { request } from '../worker/undici.cjs';

/** A response that a browser shows or follows. */
export interface Visited {
  url: string;
  status: number;
  text: string;
  location: string | null;
}

/** A browser without a screen: it keeps cookies per origin, follows redirects when asked to, and sends forms. */
export class HttpBrowser {
  /** Every address that it went to, in order. */
  readonly visited: string[] = [];
  private readonly jars = new Map<string, Map<string, string>>();

  /** @param connections those of a service whose certificate is self-signed */
  constructor(private readonly connections?: Dispatcher) {}

  /** Requests one address and follows no redirect. */
  async go(
    url: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Visited> {
    const { origin } = new URL(url);
    this.visited.push(url);
    const response = await request(url, {
      method: form ? 'POST' : 'GET',
      headers: {
        accept: 'text/html',
        cookie: this.cookieOf(origin),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      body: form ? new URLSearchParams(form).toString() : undefined,
      dispatcher: this.connections,
    });
    const text = await response.body.text();
    for (const line of [response.headers['set-cookie'] ?? []].flat()) this.store(origin, line);
    const location = response.headers['location'];
    const target = typeof location === 'string' ? new URL(location, url).href : null;
    return { url, status: response.statusCode, text, location: target };
  }

  /** Requests an address and follows redirects until `stop` says that the next address is enough, or there is none. */
  async follow(
    url: string,
    { stop = () => false, form }: { stop?: (next: string) => boolean; form?: Record<string, string> } = {},
  ): Promise<Visited> {
    let visited = await this.go(url, form);
    for (let hops = 0; visited.location !== null && !stop(visited.location); hops += 1) {
      if (hops === 20) throw new Error(`More than 20 redirects from ${url}.`);
      visited = await this.go(visited.location);
    }
    return visited;
  }

  /** The cookies of an origin, as a header. */
  cookieOf(origin: string): string {
    return [...(this.jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  setCookie(origin: string, name: string, value: string): void {
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar.set(name, value));
  }

  private store(origin: string, line: string): void {
    const [pair = ''] = line.split(';', 1);
    const at = pair.indexOf('=');
    const gone = /;\s*max-age=0/i.test(line) || /;\s*expires=Thu, 01 Jan 1970/i.test(line);
    this.setCookie(origin, pair.slice(0, at), pair.slice(at + 1));
    if (gone) this.jars.get(origin)!.delete(pair.slice(0, at));
  }
}
