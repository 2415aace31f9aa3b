/** What pip, venv and pipx print when they fail, and what it means to the operator; the first that fits. */
const causes: [RegExp, string][] = [
  [
    /DO NOT MATCH THE HASHES/,
    'the index offers another archive than the one the catalogue vouches for (integrity differs)',
  ],
  [
    /ensurepip is not available|No module named '?(venv|ensurepip|pip)/,
    "this host's Python lacks its venv module (python3-venv)",
  ],
  [
    /NewConnectionError|Connection refused|ConnectTimeout|ReadTimeout|Name or service not known|Temporary failure in name resolution|ProxyError|MaxRetryError/,
    'the index could not be reached',
  ],
  [/CERTIFICATE_VERIFY_FAILED|SSLError/, "the index's certificate is not trusted by pip"],
  [
    /requires a different Python|Requires-Python/,
    "the package does not support this host's version of Python",
  ],
  [
    /No matching distribution found|Could not find a version/,
    'the index has no such package or version for this host (archives that must be built count only where the entry runs install scripts)',
  ],
  [/No space left on device/, 'the disk of the data folder is full'],
  [/Permission denied|Read-only file system/, 'pip may not write to its cache or to the data folder'],
];

/** The failure as one sentence. The tools' own words stay out: they hold addresses, and sometimes what is in them. */
export function pipCause(output: string): string {
  const cause = causes.find(([form]) => form.test(output))?.[1] ?? 'pip could not install it';
  return `The package could not be fetched: ${cause}. Nothing was kept; try again once that is mended.`;
}
