import { Allow } from 'class-validator';

/** For a tool that takes none. */
export class NoArguments {
  // A class without any rule would let everything pass.
  @Allow()
  protected readonly nothing?: never;
}
