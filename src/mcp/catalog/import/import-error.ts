import { ConfigurationError } from '../../../platform/exit/exit-codes.js';

/** A server of a registry cannot become an entry; the message says why, and what a person can do. */
export class ImportError extends ConfigurationError {
  constructor(message: string) {
    super(message);
    this.name = 'ImportError';
  }
}
