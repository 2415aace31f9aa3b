import { expect } from '@jest/globals';
import type { Answer } from '../../../../support/answer.js';
import type { Issue } from '../../../../support/builders.js';
import type { Expected } from './model-answers.js';

/** Fails when the response of the service differs from the one that the contract requires. */
export function expectAnswer(answer: Answer<unknown>, { status, code, issue }: Expected): void {
  const body = answer.body as Partial<Issue> & { code?: string };
  expect({ status: answer.status, code: status >= 400 ? body.code : undefined }).toEqual({ status, code });
  if (issue)
    expect({ status: body.status, paused: body.paused }).toEqual({
      status: issue.status,
      paused: issue.paused,
    });
}
