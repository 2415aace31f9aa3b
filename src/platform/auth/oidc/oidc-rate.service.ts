import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { currentOrigin } from '../../journal/journal-context.js';
import { TooManyRequests } from '../auth.errors.js';
import { clientNetwork } from '../limits/client-network.js';

/** A whole company may share one address; one that sends more than this floods the service or the provider. */
const PER_MINUTE = 300;

/** Limits the requests of the sign-in that need no credential, per client network and minute in this process. */
@Injectable()
export class OidcRateService {
  private readonly rate = new RateLimiterMemory({ points: PER_MINUTE, duration: 60 });

  /** @throws {TooManyRequests} when the network of the client is over the limit */
  async count(): Promise<void> {
    try {
      await this.rate.consume(clientNetwork(currentOrigin()?.from ?? null));
    } catch (error) {
      throw error instanceof RateLimiterRes ? new TooManyRequests(error.msBeforeNext) : error;
    }
  }
}
