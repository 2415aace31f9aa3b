import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AnswerBytes, type AnswerLimits, BodyBytes } from './byte-limits.js';
import { HttpsRule, type HttpsRuleSettings, TrustedProxies } from './https-rule-and-proxies.js';
import { InFlight } from './in-flight.js';
import { PublicAddress, ServiceOrigins } from './origins-and-redirects.js';
import { KnownRoutes } from './routes.js';

/** The checks that a request passes before authentication. */
@Global()
@Module({})
export class HttpModule {
  static with(
    settings: HttpsRuleSettings & {
      trustedProxies: string[];
      dashboardOrigins: string[];
      limits: AnswerLimits & { bodiesMaxBytes: number };
    },
  ): DynamicModule {
    const proxies = new TrustedProxies(settings.trustedProxies);
    const address = new PublicAddress();
    const inFlight = new InFlight();
    const { limits } = settings;
    const providers = [
      { provide: TrustedProxies, useValue: proxies },
      { provide: HttpsRule, useValue: new HttpsRule(settings, proxies) },
      { provide: KnownRoutes, useValue: new KnownRoutes() },
      { provide: InFlight, useValue: inFlight },
      { provide: AnswerBytes, useValue: new AnswerBytes(inFlight, limits) },
      { provide: BodyBytes, useValue: new BodyBytes(inFlight, limits.bodiesMaxBytes) },
      { provide: PublicAddress, useValue: address },
      { provide: ServiceOrigins, useValue: new ServiceOrigins(address, settings.dashboardOrigins) },
    ];
    return { module: HttpModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
