import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ROUTE_POLICY } from './policy.js';

/** Stops the start when a route declares no policy, so that no route can be left open by mistake (contract §2.3). */
@Injectable()
export class PolicyCheckService implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype }) => this.openRoutesOf(metatype));
    if (open.length > 0)
      throw new Error(
        `These routes declare no policy: ${open.join(', ')}. Add a decorator of policy.ts to each.`,
      );
  }

  private openRoutesOf(controller: unknown): string[] {
    if (typeof controller !== 'function') return [];
    const prototype = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name]!))
      .filter((name) => !Reflect.hasMetadata(ROUTE_POLICY, prototype[name]!))
      .map((name) => `${controller.name}.${name}`);
  }
}
