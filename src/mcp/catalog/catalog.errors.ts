import { Problem } from '../../platform/http/problem.js';

/** One fault of one file of the catalogue; `path` is empty where it concerns the file as a whole. */
export interface CatalogFileFault {
  /** Absolute path of the file, or of the folder that cannot be read. */
  file: string;
  path: string;
  message: string;
}

/** The catalogue cannot be used: ends the start with exit code 78, naming every file and fault (spec §3.1). */
export class CatalogFault extends Error {
  constructor(readonly faults: CatalogFileFault[]) {
    const lines = faults.map(
      ({ file, path, message }) => `  ${file}: ${[path, message].filter(Boolean).join(' ')}`,
    );
    super(`The catalogue has ${faults.length} fault(s):\n${lines.join('\n')}`);
    this.name = 'CatalogFault';
  }
}

/** 409: a required variable has no value; PUT /api/mcp/installed/{id} with `envValues` gives it one. */
export class MissingVariables extends Problem {
  constructor(names: string[]) {
    super('missing_variables', `Give values for ${names.join(', ')} with envValues first.`, {
      members: { variables: names },
    });
  }
}

/** 409: the entry names no exact package, whatever the host has. */
export class NotInstallable extends Problem {
  constructor(reason: string) {
    super('not_installable', reason);
  }
}

/** 409: this host lacks the runtime that the entry needs, or has another version of it. */
export class RuntimeNotDetected extends Problem {
  constructor(reason: string) {
    super('runtime_not_detected', reason);
  }
}
