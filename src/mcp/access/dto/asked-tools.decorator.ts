import { ValidateBy } from 'class-validator';
import { codePointsIn, textError } from '../../../platform/http/body/text-rules.js';
import type { AskedTools } from '../access.repository.js';

const MOST_NAMES = 2000;
const LONGEST_NAME = 1024;

/** Accepts `"writes"` or a list of names of tools. */
export function IsAskedTools(): PropertyDecorator {
  const check = ValidateBy({
    name: 'isAskedTools',
    validator: {
      validate: isAskedTools,
      defaultMessage: () => `must be "writes", null, or at most ${MOST_NAMES} names of tools`,
    },
  });
  return (target, property) => check(target, property as string);
}

function isAskedTools(value: unknown): value is AskedTools {
  if (value === 'writes') return true;
  return Array.isArray(value) && value.length <= MOST_NAMES && value.every(isToolName);
}

function isToolName(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value !== '' &&
    codePointsIn(value) <= LONGEST_NAME &&
    textError(value) === null
  );
}
