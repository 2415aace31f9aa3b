/** The meaning of npm's error codes for the operator; the first match counts. */
const CAUSES: [RegExp, string][] = [
  [/^EINTEGRITY$/, 'an archive differs from what the registry announced (integrity differs)'],
  [/^(E404|ETARGET|ENOVERSIONS)$/, 'the registry has no such package or version'],
  [/^(E401|E403|ENEEDAUTH)$/, "the registry refused the service's npm credentials"],
  [
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E5\d\d|E429)$/,
    'the registry could not be reached',
  ],
  [/^(ENOTCACHED)$/, 'npm is configured to work offline and the package is not in its cache'],
  [/^(CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/, "the registry's certificate is not trusted by npm"],
  [/^(ENOSPC|EDQUOT)$/, 'the disk of the data folder is full'],
  [/^(EACCES|EPERM|EROFS)$/, 'npm has no permission to write to its cache or to the data folder'],
  [/^EBADENGINE$/, 'the package does not support the version of Node that runs the service'],
  [/^ELIFECYCLE$/, 'an install script failed'],
];

/** Describes npm's failure without its own output, which holds addresses and sometimes the credentials in them. */
export function npmCause(output: string): string {
  const code = /npm (?:error|ERR!) code (\w+)/.exec(output)?.[1];
  const cause = CAUSES.find(([form]) => code && form.test(code))?.[1] ?? 'npm could not install it';
  return `The package could not be fetched: ${cause}${code ? ` (npm ${code})` : ''}. Nothing was kept; fix the cause and try again.`;
}
