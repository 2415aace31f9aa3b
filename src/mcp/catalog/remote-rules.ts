import type { Fault } from '../../platform/http/problem.js';
import type { RemoteEntry } from './catalog-entry.js';
import type { Folder } from './placeholders.js';
import { faultRows, type Check } from './fault-rows.js';
import { declared, templateFault } from './template-rule.js';

/** What may stand around a placeholder of an address, so that it is a whole host, port, segment or query value. */
const wholePart = /[/:=]\{env:[^{}]*\}(?=[/:?&#]|$)/g;
const anyPlaceholder = /\{[^{}]*\}/g;

/** Address and headers use declared variables; the address no secret, and none that might be absent. */
export function remoteFaults(entry: RemoteEntry): Fault[] {
  const { url, headers } = entry.manifest;
  const checks: Check[] = [
    ['manifest.url', urlFault(entry, url)],
    ...Object.entries(headers).map(([name, value]): Check => [
      `manifest.headers.${name}`,
      headerFault(entry, value),
    ]),
  ];
  return faultRows(checks);
}

function urlFault(entry: RemoteEntry, url: string): string | null {
  const fault = templateFault(url, {
    folder: noFolders,
    variable: declared(entry.environmentVariables, (variable) => {
      if (variable.isSecret || variable.format === 'file')
        return 'which is secret: addresses are logged along the way, so send it in a header';
      if (!variable.isRequired && variable.default === null)
        return 'which must then be required or have a default';
      return null;
    }),
  });
  return fault ?? placementFault(url);
}

function placementFault(url: string): string | null {
  if (url.match(wholePart)?.length !== url.match(anyPlaceholder)?.length)
    return 'may hold a placeholder only as a whole host, port, path segment or query value';
  const sample = url.replace(/:\{env:[^{}]*\}/g, ':1').replace(anyPlaceholder, 'x');
  if (!URL.canParse(sample)) return 'is not an address';
  const { username, password } = new URL(sample);
  return username || password ? 'must not hold a user or password: send them in a header' : null;
}

function headerFault(entry: RemoteEntry, value: string): string | null {
  if (/[\r\n\0]/.test(value)) return 'must not contain line breaks or NUL';
  return templateFault(value, {
    folder: noFolders,
    variable: declared(entry.environmentVariables, ({ format }) =>
      format === 'file' ? 'a file, which only a stdio server can be given' : null,
    ),
  });
}

function noFolders(folder: Folder): string {
  return `may not use {${folder}}: a remote server has no folder here`;
}
