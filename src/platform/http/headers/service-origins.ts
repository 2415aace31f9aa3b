/** The names under which a browser may reach a service that listens on loopback or on all addresses. */
const THIS_HOST = ['localhost', '127.0.0.1', '[::1]'];
const EVERYWHERE = ['0.0.0.0', '[::]'];

/** The address under which clients reach the service, without a trailing slash; known once it listens. */
export class PublicAddress {
  url = 'http://127.0.0.1';
}

/** The origins whose web pages may call the service from a browser: its own, and those of DASHBOARD_ORIGINS. */
export class ServiceOrigins {
  constructor(
    private readonly address: PublicAddress,
    private readonly dashboards: string[],
  ) {}

  includes(origin: string): boolean {
    return this.isDashboard(origin) || this.own().includes(origin);
  }

  /** Whether an operator has named the origin in DASHBOARD_ORIGINS. */
  isDashboard(origin: string): boolean {
    return this.dashboards.includes(origin);
  }

  private own(): string[] {
    const own = new URL(this.address.url);
    if (![...THIS_HOST, ...EVERYWHERE].includes(own.hostname)) return [own.origin];
    const port = own.port && `:${own.port}`;
    return THIS_HOST.map((host) => `${own.protocol}//${host}${port}`);
  }
}
