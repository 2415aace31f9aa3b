import { Problem } from '../../platform/http/problem.js';

export class ProjectKeyTaken extends Problem {
  constructor(key: string) {
    super('name_taken', `Another project has the key ${key}; choose another one.`);
  }
}

export class ProjectNotEmpty extends Problem {
  constructor() {
    super('not_empty', 'The project still has issues; delete them first.');
  }
}

export class LinksToOtherProjects extends Problem {
  constructor() {
    super(
      'cross_project_link',
      'Issues of this project are linked with other projects; remove these links before it becomes members-only.',
    );
  }
}

export class ConfirmationRequired extends Problem {
  constructor(what: string) {
    super('confirmation_required', `This deletes the ${what} for good; send confirm=true to do it.`);
  }
}
