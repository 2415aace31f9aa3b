import { Injectable } from '@nestjs/common';
import { Forbidden } from '../../platform/auth/auth.errors.js';
import { Settings } from '../../platform/config/settings.js';
import { PublicAddress } from '../../platform/http/public-address.js';

/** What a browser may call the service when it listens on loopback: names of one and the same host. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Keeps web pages of others from speaking to the endpoint with a browser's help, DNS rebinding included
 * (spec §7). MCP clients that are no browsers send no `Origin`.
 */
@Injectable()
export class OriginRule {
  constructor(
    private readonly address: PublicAddress,
    private readonly settings: Settings,
  ) {}

  /** @throws {Forbidden} for an `Origin` that is neither the service's own nor one of DASHBOARD_ORIGINS */
  enforce(origin: string | undefined): void {
    if (
      origin === undefined ||
      this.settings.dashboardOrigins.includes(origin) ||
      this.ownOrigins().includes(origin)
    )
      return;
    throw new Forbidden(
      'This Origin may not use the MCP endpoint; an operator can name it in DASHBOARD_ORIGINS.',
    );
  }

  private ownOrigins(): string[] {
    const own = new URL(this.address.url);
    if (!LOOPBACK.includes(own.hostname)) return [own.origin];
    const port = own.port && `:${own.port}`;
    return LOOPBACK.map((host) => `${own.protocol}//${host}${port}`);
  }
}
