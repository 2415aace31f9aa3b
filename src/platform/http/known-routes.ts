import { match, type MatchFunction } from 'path-to-regexp';
import type { MappedRoute } from './mapped-routes.js';
import { NotFound, Problem } from './problem.js';

interface KnownPath {
  parameters: number;
  matches: MatchFunction<object>;
  methods: Set<string>;
}

/** Words right after /api/projects/ that are never read as a project's id (spec §4). */
const RESERVED = new Set(['issues', 'attachments', 'links', 'comments', 'goals']);

/** Whether a path's `projectId` is a word that only other routes have there. */
export function isReservedProjectId(projectId: unknown): boolean {
  return typeof projectId === 'string' && RESERVED.has(projectId);
}

/** All routes of the service, to tell a known path with another verb (405) from an unknown one (404) (spec §1). */
export class KnownRoutes {
  private paths: KnownPath[] = [];

  /** @param routes once all controllers are mapped */
  learn(routes: MappedRoute[]): void {
    this.paths = [...new Set(routes.map(({ path }) => path))].map((path) => ({
      parameters: path.split('/:').length - 1,
      matches: match(path, { sensitive: true }),
      methods: new Set(
        routes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase()),
      ),
    }));
  }

  /** The refusal of a request that no route takes. */
  refusalOf(method: string, path: string): Problem {
    const known = this.methodsOf(path);
    if (known.has('GET')) known.add('HEAD');
    if (known.size === 0 || known.has(method)) return new NotFound();
    const allow = [...known].toSorted().join(', ');
    return new Problem('method_not_allowed', `This address takes ${allow}.`, { headers: { Allow: allow } });
  }

  private methodsOf(path: string): Set<string> {
    const matching = this.paths.filter(({ matches }) => {
      const found = paramsOf(matches, path);
      return found && !isReservedProjectId(found['projectId']);
    });
    // What is spelled out is not read as an id: /api/agents/halt is no agent.
    const fewest = Math.min(...matching.map(({ parameters }) => parameters));
    return new Set(
      matching.filter(({ parameters }) => parameters === fewest).flatMap(({ methods }) => [...methods]),
    );
  }
}

/** A path that does not decode matches nothing. */
function paramsOf(matches: MatchFunction<object>, path: string): Record<string, unknown> | null {
  try {
    const found = matches(path);
    return found ? (found.params as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
