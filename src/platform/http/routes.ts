import { type INestApplication, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { match, type MatchFunction } from 'path-to-regexp';
import { NotFound, Problem } from './problem.js';

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

/** What monitors request every few seconds, of a process of every role. */
export const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

interface KnownPath {
  parameters: number;
  matches: MatchFunction<object>;
  methods: Set<string>;
}

/** Words after /api/projects/ that are never read as a project's id (contract §4). */
const RESERVED = new Set([
  'issues',
  'attachments',
  'links',
  'comments',
  'goals',
  'gates',
  'counts',
  'code',
  'code-hooks',
]);

/** Whether a path's `projectId` is a word that belongs to other routes. */
export function isReservedProjectId(projectId: unknown): boolean {
  return typeof projectId === 'string' && RESERVED.has(projectId);
}

/** Knows all routes, and distinguishes a known path with another method (405) from an unknown path (404) (contract §1). */
export class KnownRoutes {
  private paths: KnownPath[] = [];

  /** @param routes all routes, once all controllers are mapped */
  learn(routes: MappedRoute[]): void {
    this.paths = [...new Set(routes.map(({ path }) => path))].map((path) => ({
      parameters: path.split('/:').length - 1,
      matches: match(path, { sensitive: true }),
      methods: new Set(
        routes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase()),
      ),
    }));
  }

  /** Returns the error of a request that matches no route. */
  refusalOf(method: string, path: string): Problem {
    const known = this.methodsOf(path);
    if (known.has('GET')) known.add('HEAD');
    if (known.size === 0 || known.has(method)) return new NotFound();
    const allow = [...known].toSorted().join(', ');
    return new Problem('method_not_allowed', `This address accepts ${allow}.`, { headers: { Allow: allow } });
  }

  private methodsOf(path: string): Set<string> {
    const matching = this.paths.filter(({ matches }) => {
      const found = paramsOf(matches, path);
      return found && !isReservedProjectId(found['projectId']);
    });
    // A literal segment is not read as an id: /api/agents/halt is not an agent.
    const fewest = Math.min(...matching.map(({ parameters }) => parameters));
    return new Set(
      matching.filter(({ parameters }) => parameters === fewest).flatMap(({ methods }) => [...methods]),
    );
  }
}

/** Returns the parameters of a path that matches, or null. A path that cannot be decoded matches nothing. */
function paramsOf(matches: MatchFunction<object>, path: string): Record<string, unknown> | null {
  try {
    const found = matches(path);
    return found ? (found.params as Record<string, unknown>) : null;
  } catch {
    // The only error is a malformed escape sequence.
    return null;
  }
}
