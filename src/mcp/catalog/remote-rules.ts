import type { FieldError } from '../../platform/http/problem/problem.js';
import type { RemoteEntry, RemoteOauth } from './catalog-entry.js';
import type { Folder } from './placeholders.js';
import { schemaErrors, type Check } from './schema-errors.js';
import { declared, templateError } from './template-rule.js';

/** Matches a placeholder that is a whole host, port, path segment or query value of an address. */
const WHOLE_PART = /[/:=]\{env:[^{}]*\}(?=[/:?&#]|$)/g;
const ANY_PLACEHOLDER = /\{[^{}]*\}/g;

/**
 * Checks that address and headers use declared variables, and that those of the address are not secret and always have
 * a value.
 */
export function remoteErrors(entry: RemoteEntry): FieldError[] {
  const { url, headers } = entry.manifest;
  const checks: Check[] = [
    ['manifest.url', urlError(entry, url)],
    ...Object.entries(headers).map(([name, value]): Check => [
      `manifest.headers.${name}`,
      headerError(entry, value),
    ]),
    ...oauthChecks(entry),
  ];
  return schemaErrors(checks);
}

function urlError(entry: RemoteEntry, url: string): string | null {
  const error = templateError(url, {
    folder: noFolders,
    variable: declared(entry.environmentVariables, (variable) => {
      if (variable.isSecret || variable.format === 'file')
        return 'which is secret: addresses are logged on the way, so send it in a header';
      if (!variable.isRequired && variable.default === null)
        return 'which must then be required or have a default';
      return null;
    }),
  });
  return error ?? placementError(url);
}

function placementError(url: string): string | null {
  if (url.match(WHOLE_PART)?.length !== url.match(ANY_PLACEHOLDER)?.length)
    return 'may contain a placeholder only as a whole host, port, path segment or query value';
  const sample = url.replace(/:\{env:[^{}]*\}/g, ':1').replace(ANY_PLACEHOLDER, 'x');
  if (!URL.canParse(sample)) return 'is not an address';
  const { username, password } = new URL(sample);
  return username || password ? 'must not contain a user or password: send them in a header' : null;
}

function headerError(entry: RemoteEntry, value: string): string | null {
  if (/[\r\n\0]/.test(value)) return 'must not contain line breaks or NUL';
  return templateError(value, {
    folder: noFolders,
    variable: declared(entry.environmentVariables, ({ format }) =>
      format === 'file' ? 'which is a file: only a stdio server can read it' : null,
    ),
  });
}

function oauthChecks(entry: RemoteEntry): Check[] {
  const { oauth } = entry.manifest;
  if (!oauth) return [];
  const { clientId = null, clientSecret = null, privateKey = null } = { privateKey: null, ...oauth };
  return [
    ['manifest.oauth', clientError(oauth.grant, clientId, clientSecret, privateKey)],
    [
      'manifest.headers',
      setsAuthorization(entry) ? 'must not set Authorization, which carries the access token' : null,
    ],
    ['manifest.oauth.clientId', clientId === null ? null : headerError(entry, clientId)],
    ['manifest.oauth.clientSecret', clientSecret === null ? null : secretError(entry, clientSecret)],
    ['manifest.oauth.privateKey', privateKey === null ? null : secretError(entry, privateKey)],
  ];
}

function clientError(
  grant: RemoteOauth['grant'],
  clientId: string | null,
  clientSecret: string | null,
  privateKey: string | null,
): string | null {
  if (grant === 'client_credentials') {
    if (clientId === null) return 'needs clientId';
    return (clientSecret === null) === (privateKey === null)
      ? 'needs either clientSecret or privateKey'
      : null;
  }
  if (privateKey !== null) return 'must not have privateKey with the grant authorization_code';
  return clientSecret !== null && clientId === null ? 'needs clientId beside clientSecret' : null;
}

/** Whether the entry authenticates its requests itself, so that no access token can be sent. */
export function setsAuthorization({ manifest: { headers } }: RemoteEntry): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** An entry is read by many people, so it holds no secret itself. */
function secretError({ environmentVariables }: RemoteEntry, template: string): string | null {
  const name = /^\{env:([^{}]*)\}$/.exec(template)?.[1];
  const variable = environmentVariables.find((candidate) => candidate.name === name);
  return variable?.isSecret ? null : 'must be {env:NAME} of a variable that is secret';
}

function noFolders(folder: Folder): string {
  return `may not use {${folder}}: a remote server has no folder here`;
}
