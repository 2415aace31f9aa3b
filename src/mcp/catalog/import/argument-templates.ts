import type { EntryVariables } from './entry-variables.js';
import type { Argument } from './server-json.js';

/**
 * Returns the templates of a package's arguments. A named one with a value is `--flag=value`, in one piece, so that the
 * launch leaves out the flag together with a value that is not given.
 */
export function argumentTemplates(args: readonly Argument[], variables: EntryVariables): string[] {
  return args.map((argument) => {
    if (argument.type === 'positional') return variables.template(argument, argument.valueHint ?? 'value');
    const flag = argument.name.replaceAll('{', '{{');
    return isSwitch(argument) ? flag : `${flag}=${variables.template(argument, argument.name)}`;
  });
}

/** A named argument that says nothing about a value is given alone, such as `--read-only`. */
function isSwitch(argument: Argument): boolean {
  const { value, default: preset, placeholder, format, choices, isRequired, isSecret } = argument;
  const aboutValue = [value, preset, placeholder, format, choices].some((part) => part !== undefined);
  return !aboutValue && !isRequired && !isSecret;
}
