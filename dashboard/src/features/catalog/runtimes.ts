interface Runtime {
  detected: boolean;
  version?: string;
}

const names = { node: 'Node', python: 'Python', pipx: 'pipx' } as const;

/** What the host has and lacks, as one sentence. */
export function runtimeWords(runtimes: Record<keyof typeof names, Runtime>): string {
  const all = (Object.keys(names) as (keyof typeof names)[]).map((id) => ({
    name: names[id],
    ...runtimes[id],
  }));
  const found = all.filter(({ detected }) => detected).map(({ name, version }) => `${name} ${version}`);
  const lacking = all.filter(({ detected }) => !detected).map(({ name }) => name);
  const has = found.length === 0 ? 'This host has no runtime' : `This host has ${list(found)}`;
  if (lacking.length === 0) return `Each server is pinned to one version. ${has}.`;
  const verb = lacking.length === 1 ? 'was' : 'were';
  return `Each server is pinned to one version. ${has}; ${list(lacking)} ${verb} not found.`;
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
