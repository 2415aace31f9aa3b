import type { Answer, Caller } from './caller.js';
import { isCanary } from './canary.js';

interface Entry {
  environmentVariables: { name: string; isSecret: boolean }[];
}

/** Fails where a test has stored a secret of a server that nobody would recognise if it came out. */
export async function holdToCanaries(caller: Caller, answer: Answer<unknown>, body: unknown): Promise<void> {
  const { envValues } = (body ?? {}) as { envValues?: Record<string, unknown> };
  if (!envValues || answer.status >= 300 || !answer.path.startsWith('/api/mcp/installed')) return;
  const { catalogId } = answer.body as { catalogId: string };
  const owner = caller.service.owner.unchecked();
  const entry = (await owner.get<Entry>(`/api/mcp/catalog/${catalogId}`)).body;
  const secrets = entry.environmentVariables.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  const bare = secrets.filter((name) => typeof envValues[name] === 'string' && !isCanary(envValues[name]));
  if (bare.length > 0)
    throw new Error(`Give ${bare.join(', ')} a canary('…'): a leak of it would not be seen.`);
}
