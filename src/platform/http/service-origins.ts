import { PublicAddress } from './public-address.js';

/** What a browser may call the service when it listens on loopback or everywhere: names of one and the same host. */
const THIS_HOST = ['localhost', '127.0.0.1', '[::1]'];
const EVERYWHERE = ['0.0.0.0', '[::]'];

/** Whose web pages may use the service with a browser's help: its own, and those of DASHBOARD_ORIGINS. */
export class ServiceOrigins {
  constructor(
    private readonly address: PublicAddress,
    private readonly dashboards: string[],
  ) {}

  includes(origin: string): boolean {
    return this.isDashboard(origin) || this.own().includes(origin);
  }

  /** Another origin than the service's own, which an operator has named. */
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
