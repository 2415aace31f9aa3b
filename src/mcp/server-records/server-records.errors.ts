import { Problem, ValidationFailed } from '../../platform/http/problem.js';

export class ServerNameTaken extends Problem {
  constructor(name: string) {
    super('name_taken', `Another installed server is called '${name}'; choose another name.`);
  }
}

export class UnknownCatalogEntry extends ValidationFailed {
  constructor() {
    super([
      {
        path: 'catalogId',
        message: 'names no entry of the catalogue; GET /api/mcp/catalog lists the entries',
      },
    ]);
  }
}

/** 503: another request changed or removed the server while this one was running. */
export class ServerChangedMeanwhile extends Problem {
  constructor() {
    super(
      'unavailable',
      'Another request changed the server in the meantime; read the server again and retry.',
      {
        headers: { 'Retry-After': '1' },
      },
    );
  }
}

/** 503: the service ends before long work has finished; nothing of the work was kept. */
export class ServiceStopping extends Problem {
  constructor() {
    super('unavailable', 'The service is shutting down; try again in a moment.', {
      headers: { 'Retry-After': '5' },
    });
  }
}
