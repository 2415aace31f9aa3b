/** What pip, venv and pipx print when they fail, and its meaning for the operator; the first match counts. */
const CAUSES: [RegExp, string][] = [
  [
    /DO NOT MATCH THE HASHES/,
    'the index offers an archive other than the one in the catalogue (integrity differs)',
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
    'the index has no such package or version for this host (source archives count only if the entry runs install scripts)',
  ],
  [/No space left on device/, 'the disk of the data folder is full'],
  [
    /Permission denied|Read-only file system/,
    'pip has no permission to write to its cache or to the data folder',
  ],
];

/** Describes the failure without the programs' own output, which holds addresses and sometimes the credentials in them. */
export function pipCause(output: string): string {
  const cause = CAUSES.find(([form]) => form.test(output))?.[1] ?? 'pip could not install it';
  return `The package could not be fetched: ${cause}. Nothing was kept; fix the cause and try again.`;
}
