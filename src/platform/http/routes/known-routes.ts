import { match, type MatchFunction } from 'path-to-regexp';
import type { MappedRoute } from './mapped-routes.js';
import { NotFound, Problem } from '../problem/problem.js';

interface KnownPath {
  parameters: number;
  matches: MatchFunction<object>;
  methods: Set<string>;
}

/** Words after /api/projects/ that are never read as a project's id (contract §4). */
const RESERVED = new Set(['issues', 'attachments', 'links', 'comments', 'goals', 'gates']);

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
