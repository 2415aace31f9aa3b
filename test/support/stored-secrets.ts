import type { Answer } from './answer.js';
import { isCanary } from './canary.js';

interface Reader {
  get<Body>(path: string): Promise<Answer<Body>>;
}

interface Entry {
  environmentVariables: { name: string; isSecret: boolean }[];
}

/** Fails when a test stores a server's secret that is not a canary, because a leak of it would not be noticed. */
export async function holdToCanaries(owner: Reader, answer: Answer<unknown>, body: unknown): Promise<void> {
  const { envValues } = (body ?? {}) as { envValues?: Record<string, unknown> };
  if (!envValues || answer.status >= 300 || !answer.path.startsWith('/api/mcp/installed')) return;
  const catalogId = await catalogIdOf(owner, answer);
  const entry = (await owner.get<Entry>(`/api/mcp/catalog/${catalogId}`)).body;
  const secrets = entry.environmentVariables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  const bare = secrets.filter((name) => typeof envValues[name] === 'string' && !isCanary(envValues[name]));
  if (bare.length > 0)
    throw new Error(`Give ${bare.join(', ')} a canary('…'): a leak of it would not be seen.`);
}

/** A server says which entry it is of; a credential set stands below its server. */
async function catalogIdOf(owner: Reader, { path, body }: Answer<unknown>): Promise<string> {
  const server = path.replace(/\/credential-sets.*/, '');
  if (server === path) return (body as { catalogId: string }).catalogId;
  return (await owner.get<{ catalogId: string }>(server)).body.catalogId;
}
