import { advertisedName } from '../../../mcp/access/advertised-name.js';

/** The two parts of an advertised name, see `advertisedName`: the slug has no `_`, so the first `__` parts them. */
export interface AdvertisedParts {
  slug: string;
  /** The server's own name, unless `mayBeChanged`. */
  name: string;
  /** It ends like a name that had to be changed or cut: only a look at the server's names tells. */
  mayBeChanged: boolean;
}

/** null for what no server's tool or prompt is called. */
export function partsOf(advertised: unknown): AdvertisedParts | null {
  if (typeof advertised !== 'string') return null;
  const [, slug, name] = FORM.exec(advertised) ?? [];
  if (slug === undefined || name === undefined) return null;
  return { slug, name, mayBeChanged: CHANGED.test(name) };
}

/** Which of a server's own names is advertised like this. */
export function originalOf(advertised: string, slug: string, names: string[]): string | undefined {
  return names.find((name) => advertisedName(slug, name) === advertised);
}

const FORM = /^([a-z0-9-]+?)__([a-zA-Z0-9_-]+)$/;
const CHANGED = /_[0-9a-f]{8}$/;
