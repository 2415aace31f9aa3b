import { ConfigurationError } from '../../platform/exit/exit-codes.js';
import { Problem } from '../../platform/http/problem.js';

/** One error in one file of the catalogue; `path` is empty if it concerns the file as a whole. */
export interface CatalogFileError {
  /** The absolute path of the file, or of a folder that cannot be read. */
  file: string;
  path: string;
  message: string;
}

/** The catalogue is invalid. It ends the start and lists every file and error (contract §3.1). */
export class CatalogError extends ConfigurationError {
  constructor(readonly errors: CatalogFileError[]) {
    const lines = errors.map(
      ({ file, path, message }) => `  ${file}: ${[path, message].filter(Boolean).join(' ')}`,
    );
    const wayOut =
      'Correct these files, or leave their folder out of CATALOG_DIRS; docs/catalogue.md describes an entry.';
    super(`The catalogue has ${errors.length} error(s):\n${lines.join('\n')}\n${wayOut}`);
    this.name = 'CatalogError';
  }
}

/** 409: a required variable has no value; PUT /api/mcp/installed/{id} with `envValues` sets one. */
export class MissingVariables extends Problem {
  constructor(names: string[]) {
    super('missing_variables', `Give values for ${names.join(', ')} with envValues first.`, {
      members: { variables: names },
    });
  }
}

/** 409: the entry names no exact package, so no host can install it. */
export class NotInstallable extends Problem {
  constructor(reason: string) {
    super('not_installable', reason);
  }
}

/** 409: this host lacks the runtime that the entry needs, or has a version out of its range. */
export class RuntimeNotDetected extends Problem {
  constructor(reason: string) {
    super('runtime_not_detected', reason);
  }
}
