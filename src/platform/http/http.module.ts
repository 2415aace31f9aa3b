import { Global, Module, type DynamicModule } from '@nestjs/common';
import { HttpsRule, type HttpsRuleSettings } from './routes/https-rule.js';
import { InFlight } from './in-flight.js';
import { KnownRoutes } from './routes/known-routes.js';
import { PublicAddress, ServiceOrigins } from './headers/service-origins.js';
import { TrustedProxies } from './headers/trusted-proxies.js';

/** The checks that a request passes before authentication. */
@Global()
@Module({})
export class HttpModule {
  static with(
    settings: HttpsRuleSettings & { trustedProxies: string[]; dashboardOrigins: string[] },
  ): DynamicModule {
    const proxies = new TrustedProxies(settings.trustedProxies);
    const address = new PublicAddress();
    const providers = [
      { provide: TrustedProxies, useValue: proxies },
      { provide: HttpsRule, useValue: new HttpsRule(settings, proxies) },
      { provide: KnownRoutes, useValue: new KnownRoutes() },
      { provide: InFlight, useValue: new InFlight() },
      { provide: PublicAddress, useValue: address },
      { provide: ServiceOrigins, useValue: new ServiceOrigins(address, settings.dashboardOrigins) },
    ];
    return { module: HttpModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
