import type { FieldError } from '../../platform/http/problem/problem.js';
import type { EnvironmentVariable } from './catalog-entry.js';
import { schemaErrors, type Check } from './schema-errors.js';
import { templateError } from './template-rule.js';
import { effectiveValue, formatError } from './variable-value.js';

/** Stands for `{dataDir}`; only the form of the path is checked. */
const SAMPLE_FOLDER = '/data';

/** Checks that names are unique, defaults match their format, and `access` is set only for paths that are mounted. */
export function variableErrors(variables: EnvironmentVariable[]): FieldError[] {
  const names = variables.map(({ name }) => name);
  return variables.flatMap((variable, index) => {
    const at = `environmentVariables[${index}]`;
    const checks: Check[] = [
      [`${at}.name`, names.indexOf(variable.name) === index ? null : `${variable.name} is declared twice`],
      [`${at}.pattern`, patternError(variable)],
      [`${at}.default`, defaultError(variable)],
      [`${at}.access`, accessError(variable)],
      [`${at}.searchPaths`, searchPathsError(variable)],
    ];
    return schemaErrors(checks);
  });
}

function defaultError(variable: EnvironmentVariable): string | null {
  if (variable.default === null || patternError(variable)) return null;
  const onlyDataDir = 'may use the placeholder {dataDir} only';
  const error = templateError(variable.default, {
    folder: (folder) => (folder === 'dataDir' ? null : onlyDataDir),
    variable: () => onlyDataDir,
  });
  return error ?? formatError(variable, effectiveValue(variable, {}, SAMPLE_FOLDER) ?? '');
}

/** The schema's format `regex` compiles without the u flag, and some patterns are invalid with it. */
function patternError({ pattern }: EnvironmentVariable): string | null {
  try {
    void new RegExp(pattern ?? '', 'u');
    return null;
  } catch {
    return 'must compile with the u flag';
  }
}

function searchPathsError({ searchPaths, format, default: preset }: EnvironmentVariable): string | null {
  if (!searchPaths || (format === 'filepath' && preset === null)) return null;
  return 'is allowed only with format filepath and without a default';
}

function accessError({ access, format }: EnvironmentVariable): string | null {
  return access === 'write' && format !== 'filepath' ? 'is allowed only with format filepath' : null;
}
