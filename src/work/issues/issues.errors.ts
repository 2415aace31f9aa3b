import { Problem } from '../../platform/http/problem.js';
import { allowedTransitions, type Standing, type Status } from './issue-status.js';

/** 409: the table of states has no such way from here. */
export class InvalidTransition extends Problem {
  constructor(standing: Standing, to: Status, detail?: string) {
    const allowed = allowedTransitions(standing);
    const ways = allowed.length > 0 ? `From ${standing.status} it can go to ${allowed.join(', ')}.` : '';
    super(
      'invalid_transition',
      detail ?? `An issue that is ${standing.status} can't become ${to} this way. ${ways}`,
      {
        members: { from: standing.status, to, allowed },
      },
    );
  }
}

export interface OpenDependent {
  id: string;
  key: string;
  title: string;
  status: Status;
}

/** 409: issues that this one blocks are not finished. */
export class OpenDependents extends Problem {
  constructor(dependents: OpenDependent[]) {
    super(
      'open_dependents',
      `${dependents.length} issue(s) that this one blocks are not Resolved or Closed; finish them first, or close with force=true.`,
      { members: { dependents } },
    );
  }
}

export class DependencyCycle extends Problem {
  constructor(path: { id: string; key: string }[]) {
    super(
      'dependency_cycle',
      `This link would close a circle of blocking: ${path.map(({ key }) => key).join(' → ')}.`,
      {
        members: { path },
      },
    );
  }
}

export class LinkExists extends Problem {
  constructor() {
    super('link_exists', 'These two issues are linked in this way already.');
  }
}

export class LinkLimit extends Problem {
  constructor(limit: number) {
    super('link_limit', `An issue has at most ${limit} links; remove some first.`);
  }
}

export class CrossProjectLink extends Problem {
  constructor() {
    super('cross_project_link', 'Issues of a members-only project are linked only within it.');
  }
}

export class VersionMismatch extends Problem {
  constructor(version: number) {
    super(
      'version_mismatch',
      `The issue has changed since you read it (it is at version ${version}); read it anew and decide again.`,
    );
  }
}

export class LeaseLost extends Problem {
  constructor() {
    super(
      'lease_lost',
      'Your lease of this issue is not the newest: send the Lease-Token of your last pick-up, or stop work on it.',
    );
  }
}
