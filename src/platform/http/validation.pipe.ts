import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { ValidationFailed, type Fault } from './problem.js';

/** Checks bodies and queries against their classes: unknown fields are refused, every fault is told on its path. */
export function validationPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => new ValidationFailed(errors.flatMap((error) => faultsOf(error, ''))),
  });
}

function faultsOf(error: ValidationError, parent: string): Fault[] {
  const isIndex = /^\d+$/.test(error.property);
  const path = isIndex ? `${parent}[${error.property}]` : parent ? `${parent}.${error.property}` : error.property;
  const [message] = Object.entries(error.constraints ?? {}).map(([rule, text]) => sentence(rule, text, error.property));
  const own = message === undefined ? [] : [{ path, message }];
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, path))];
}

/** class-validator starts its sentences with the property's name, which the path tells already. */
function sentence(rule: string, text: string, property: string): string {
  if (rule === 'whitelistValidation') return 'is not known here';
  return text.startsWith(`${property} `) ? text.slice(property.length + 1) : text;
}
