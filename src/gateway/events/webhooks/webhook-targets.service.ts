import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { permittedAddresses, systemResolver } from '../../../platform/http/outbound/outbound-address.js';
import { OutboundError } from '../../../platform/http/outbound/outbound-error.js';
import { ValidationFailed } from '../../../platform/http/problem/problem.js';

/** A slow name server must not delay the request for longer. */
const PATIENCE_MS = 1_500;

/**
 * Refuses a webhook to an address that no delivery would reach by rule (contract §7.7), because only its delivery log
 * would show that. Each delivery applies the rule again: a name may lead elsewhere by then. A name that cannot be
 * resolved now is accepted for the same reason.
 */
@Injectable()
export class WebhookTargetsService {
  constructor(private readonly settings: Settings) {}

  /** @throws {ValidationFailed} when outbound HTTP may not reach the address */
  async refuseUnlessPermitted(url: string): Promise<void> {
    const { hostname, port, protocol } = new URL(url);
    const address = hostname.replace(/^\[|\]$/g, '');
    const number = Number(port) || (protocol === 'https:' ? 443 : 80);
    const allowed = this.settings.outboundAllowedHosts;
    try {
      const permitted = permittedAddresses(address, number, allowed, systemResolver);
      await Promise.race([permitted, delay(PATIENCE_MS, null, { ref: false })]);
    } catch (error) {
      if (error instanceof OutboundError && error.kind === 'refused_address')
        throw new ValidationFailed([{ path: 'url', message: error.message }]);
    }
  }
}
