import { type FieldError, Problem } from '../../platform/http/problem.js';
import { allowedTransitions, type Standing, type Status } from './issue-status.js';
import type { StopReason } from './stop-reasons.js';

/** 409: the table of states has no such transition. */
export class InvalidTransition extends Problem {
  constructor(standing: Standing, to: Status, detail?: string) {
    const allowed = allowedTransitions(standing);
    const next = allowed.length > 0 ? `From ${standing.status} it can go to ${allowed.join(', ')}.` : '';
    super(
      'invalid_transition',
      detail ?? `An issue that is ${standing.status} can't become ${to} this way. ${next}`,
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

/** 409: the issue blocks unresolved issues. */
export class OpenDependents extends Problem {
  constructor(dependents: OpenDependent[]) {
    super(
      'open_dependents',
      `${dependents.length} issue(s) that this one blocks are not Resolved or Closed; finish them first, or close with force=true.`,
      { members: { dependents } },
    );
  }
}

/** 409: issues below this one are unresolved (contract §5.9). */
export class OpenChildren extends Problem {
  constructor(children: OpenDependent[]) {
    super(
      'open_children',
      `${children.length} issue(s) below this one are not Resolved or Closed; finish them first, or close with force=true, which closes them too.`,
      { members: { children } },
    );
  }
}

export class ChildLimit extends Problem {
  constructor(limit: number) {
    super('child_limit', `An issue has at most ${limit} children; put some of them below another issue.`);
  }
}

export class DepthLimit extends Problem {
  constructor(limit: number) {
    super('depth_limit', `A tree of issues has at most ${limit} levels; choose a parent further up.`);
  }
}

export class LinkExists extends Problem {
  constructor(detail = 'These two issues are linked in this way already.') {
    super('link_exists', detail);
  }
}

export class LinkLimit extends Problem {
  /** @param errors the places of a request with several links */
  constructor(limit: number, errors?: FieldError[]) {
    super('link_limit', `An issue has at most ${limit} links; remove some first.`, { errors });
  }
}

export class CrossProjectLink extends Problem {
  /** @param errors the places of a request with several links or parents */
  constructor(detail = 'Issues of a members-only project are linked only within it.', errors?: FieldError[]) {
    super('cross_project_link', detail, { errors });
  }
}

/** 409: a lease of the caller lives, and the change does not carry its token. */
export class LeaseTokenRequired extends Problem {
  constructor() {
    super(
      'lease_token_required',
      'You hold a lease of this issue: send its token, as the header Lease-Token or as leaseToken of a tool call.',
    );
  }
}

/** 409: the token is not that of a lease that the caller holds. `reason` says why its work on the issue is over. */
export class LeaseLost extends Problem {
  constructor(reason: StopReason) {
    super(
      'lease_lost',
      'This token is not that of your newest lease of the issue, or the lease has ended: stop work on the issue.',
      { members: { reason } },
    );
  }
}

/** 403: an agent changes only the issues that are assigned to it (contract §2.2). */
export class NotYours extends Problem {
  constructor() {
    super('not_yours', 'An agent updates only the issues that are assigned to it.');
  }
}
