import { EXIT_CONFIG, EXIT_RETRY } from '../exit/exit-codes.js';
import { StartError } from './start-error.js';

export interface Address {
  host: string;
  port: number;
}

/** Describes why the service cannot listen on the address. */
export function listenError(address: Address, error: unknown): StartError {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  const { host, port } = address;
  const ownAddress = 'set HOST to an address of this host, such as 127.0.0.1 or 0.0.0.0';
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `PORT=${port}: another program listens on ${hostAndPort(address)} (${code})`,
        'stop that program, or set PORT to a free port',
        EXIT_RETRY,
      );
    case 'EACCES':
      return new StartError(
        `PORT=${port}: the user of the service, uid ${process.geteuid?.() ?? 'unknown'}, may not listen on this port (${code})`,
        'set PORT to one above 1023 and let a proxy listen on this one',
        EXIT_CONFIG,
      );
    case 'EAI_AGAIN':
      return new StartError(
        `HOST=${host}: the name cannot be resolved at the moment (${code})`,
        ownAddress,
        EXIT_RETRY,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST=${host} is not an address of this host (${code})`, ownAddress, EXIT_CONFIG);
    default:
      return new StartError(
        `HOST and PORT: the service cannot listen on ${hostAndPort(address)} (${code})`,
        'set HOST to an address of this host and PORT to a free port',
        EXIT_CONFIG,
      );
  }
}

/** Returns the address as it appears in a URL. */
export function hostAndPort({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
