import { RequestMethod, type INestApplication } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** `path` as Express writes it: `/api/agents/:agentId`; `method` in lower case. */
export interface MappedRoute {
  path: string;
  method: string;
}

/** Returns every route of every controller. */
export function mappedRoutes(app: INestApplication): MappedRoute[] {
  return app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }) => routesOf(metatype));
}

function routesOf(controller: unknown): MappedRoute[] {
  if (typeof controller !== 'function') return [];
  const prototype = controller.prototype as Record<string, object>;
  const bases = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat();
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const method = Reflect.getMetadata(METHOD_METADATA, prototype[name]!) as RequestMethod | undefined;
    if (method === undefined) return [];
    const own = Reflect.getMetadata(PATH_METADATA, prototype[name]!) as string;
    return bases.map((base) => ({ path: joined(base, own), method: RequestMethod[method].toLowerCase() }));
  });
}

function joined(...parts: string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;
}
