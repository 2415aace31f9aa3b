import { Problem, ValidationFailed } from '../../platform/http/problem.js';

export class ServerNameTaken extends Problem {
  constructor(name: string) {
    super('name_taken', `Another installed server is called '${name}'; choose another name.`);
  }
}

export class UnknownCatalogEntry extends ValidationFailed {
  constructor() {
    super([
      { path: 'catalogId', message: 'names no entry of the catalogue; GET /api/mcp/catalog lists them' },
    ]);
  }
}

/** Somebody else has changed or removed the server while this request was at work. */
export class ServerChangedMeanwhile extends Problem {
  constructor() {
    super('unavailable', 'The server was changed by someone else meanwhile; look at it and try again.', {
      headers: { 'Retry-After': '1' },
    });
  }
}

/** Work that takes long is not finished before the service ends; nothing of it was kept. */
export class ServiceStopping extends Problem {
  constructor() {
    super('unavailable', 'The service is shutting down; try again in a moment.', {
      headers: { 'Retry-After': '5' },
    });
  }
}
