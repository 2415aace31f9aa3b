/** What npm's error codes mean to the operator; the first that fits. */
const causes: [RegExp, string][] = [
  [/^EINTEGRITY$/, 'an archive from the registry is another than it promised (integrity differs)'],
  [/^(E404|ETARGET|ENOVERSIONS)$/, 'the registry has no such package or version'],
  [/^(E401|E403|ENEEDAUTH)$/, "the registry refused the service's npm credentials"],
  [
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E5\d\d|E429)$/,
    'the registry could not be reached',
  ],
  [/^(ENOTCACHED)$/, 'npm is set to work offline and the package is not in its cache'],
  [/^(CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/, "the registry's certificate is not trusted by npm"],
  [/^ENOSPC$/, 'the disk of the data folder is full'],
  [/^(EACCES|EPERM|EROFS)$/, 'npm may not write to its cache or to the data folder'],
  [/^EBADENGINE$/, 'the package refuses the version of Node that runs the service'],
  [/^ELIFECYCLE$/, 'an install script failed'],
];

/** npm's failure as one sentence. Its own words stay out: they hold addresses, and sometimes what is in them. */
export function npmCause(output: string): string {
  const code = /npm (?:error|ERR!) code (\w+)/.exec(output)?.[1];
  const cause = causes.find(([form]) => code && form.test(code))?.[1] ?? 'npm could not install it';
  return `The package could not be fetched: ${cause}${code ? ` (npm ${code})` : ''}. Nothing was kept; try again once that is mended.`;
}
