import { ValidationPipe, type ArgumentMetadata, type ValidationError } from '@nestjs/common';
import { ValidationFailed, type Fault } from './problem.js';

/** Checks bodies and queries against their classes: unknown fields are refused, every fault is told on its path. */
export function validationPipe(): ValidationPipe {
  return new StrictPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => new ValidationFailed(errors.flatMap((error) => faultsOf(error, ''))),
  });
}

/** class-transformer drops a field that is named like a member of every object, before anyone could refuse it. */
class StrictPipe extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' || metadata.type === 'query') refuseInherited(value);
    return super.transform(value, metadata) as Promise<unknown>;
  }
}

function refuseInherited(value: unknown): void {
  const names = Object.keys(value ?? {}).filter((name) => name in Object.prototype);
  if (names.length > 0)
    throw new ValidationFailed(names.map((path) => ({ path, message: 'is not known here' })));
}

function faultsOf(error: ValidationError, parent: string): Fault[] {
  const isIndex = /^\d+$/.test(error.property);
  const path = isIndex
    ? `${parent}[${error.property}]`
    : parent
      ? `${parent}.${error.property}`
      : error.property;
  const [message] = Object.entries(error.constraints ?? {}).map(([rule, text]) =>
    sentence(rule, text, error.property),
  );
  const own = message === undefined ? [] : [{ path, message }];
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, path))];
}

/** class-validator starts its sentences with the property's name, which the path tells already. */
function sentence(rule: string, text: string, property: string): string {
  if (rule === 'whitelistValidation') return 'is not known here';
  return text.startsWith(`${property} `) ? text.slice(property.length + 1) : text;
}
