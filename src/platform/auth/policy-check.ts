import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ROUTE_POLICY } from './policy.js';

/** A route that declares no policy stops the start: nobody can forget who may call it (spec §2). */
@Injectable()
export class PolicyCheck implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype }) => this.openRoutesOf(metatype));
    if (open.length > 0)
      throw new Error(`These routes declare no policy: ${open.join(', ')}. Say who may call them.`);
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
