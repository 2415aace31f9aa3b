import { Allow } from 'class-validator';

/** The arguments of a tool that accepts none. */
export class NoArguments {
  // The validator accepts everything for a class without a rule.
  @Allow()
  protected readonly nothing?: never;
}
