import { parseTemplate, TemplateFault, type Folder } from './placeholders.js';

/** What may stand in a template: each answers with a sentence against it, or null. */
export interface PlaceholderRule {
  folder(folder: Folder): string | null;
  variable(name: string): string | null;
}

/** The first fault of a template, in its grammar or in what the rule says of a placeholder; null without one. */
export function templateFault(template: string, rule: PlaceholderRule): string | null {
  try {
    for (const piece of parseTemplate(template)) {
      if ('text' in piece) continue;
      const fault = 'folder' in piece ? rule.folder(piece.folder) : rule.variable(piece.variable);
      if (fault) return fault;
    }
    return null;
  } catch (error) {
    if (error instanceof TemplateFault) return error.message;
    throw error;
  }
}

/** A rule for a declared variable, told under its name; an undeclared one is a fault in itself. */
export function declared<Variable extends { name: string }>(
  variables: readonly Variable[],
  rule: (variable: Variable) => string | null,
): (name: string) => string | null {
  return (name) => {
    const variable = variables.find((candidate) => candidate.name === name);
    if (!variable) return `uses ${name}, which is not declared in environmentVariables`;
    const fault = rule(variable);
    return fault && `uses ${name}, ${fault}`;
  };
}
