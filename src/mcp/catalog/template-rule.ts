import { parseTemplate, TemplateError, type Folder } from './placeholders.js';

/** The placeholders that a template may use. Each method returns why one is not allowed, or null if it is. */
export interface PlaceholderRule {
  folder(folder: Folder): string | null;
  variable(name: string): string | null;
}

/** Returns the first error of a template, in its syntax or by the rule for its placeholders; null if it is valid. */
export function templateError(template: string, rule: PlaceholderRule): string | null {
  try {
    for (const piece of parseTemplate(template)) {
      if ('text' in piece) continue;
      const error = 'folder' in piece ? rule.folder(piece.folder) : rule.variable(piece.variable);
      if (error) return error;
    }
    return null;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

/** Makes a rule for declared variables whose errors name the variable; an undeclared variable is an error too. */
export function declared<Variable extends { name: string }>(
  variables: readonly Variable[],
  rule: (variable: Variable) => string | null,
): (name: string) => string | null {
  return (name) => {
    const variable = variables.find((candidate) => candidate.name === name);
    if (!variable) return `uses ${name}, which is not declared in environmentVariables`;
    const error = rule(variable);
    return error && `uses ${name}, ${error}`;
  };
}
