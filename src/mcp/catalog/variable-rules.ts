import type { Fault } from '../../platform/http/problem.js';
import type { EnvironmentVariable } from './catalog-entry.js';
import { faultRows, type Check } from './fault-rows.js';
import { templateFault } from './template-rule.js';
import { effectiveValue, formatFault } from './variable-value.js';

/** Any folder will do in place of `{dataDir}` here: only the form of the path is looked at. */
const someFolder = '/data';

/** No name twice; a default that fits its own format; `access` only where a path is mounted. */
export function variableFaults(variables: EnvironmentVariable[]): Fault[] {
  const names = variables.map(({ name }) => name);
  return variables.flatMap((variable, index) => {
    const at = `environmentVariables[${index}]`;
    const checks: Check[] = [
      [`${at}.name`, names.indexOf(variable.name) === index ? null : `${variable.name} is declared twice`],
      [`${at}.pattern`, patternFault(variable)],
      [`${at}.default`, defaultFault(variable)],
      [`${at}.access`, accessFault(variable)],
    ];
    return faultRows(checks);
  });
}

function defaultFault(variable: EnvironmentVariable): string | null {
  if (variable.default === null || patternFault(variable)) return null;
  const onlyDataDir = 'may use no placeholder but {dataDir}';
  const fault = templateFault(variable.default, {
    folder: (folder) => (folder === 'dataDir' ? null : onlyDataDir),
    variable: () => onlyDataDir,
  });
  return fault ?? formatFault(variable, effectiveValue(variable, {}, someFolder) ?? '');
}

/** The schema's format `regex` compiles without the u flag, under which some patterns are none. */
function patternFault({ pattern }: EnvironmentVariable): string | null {
  try {
    void new RegExp(pattern ?? '', 'u');
    return null;
  } catch {
    return 'must compile with the u flag';
  }
}

function accessFault({ access, format }: EnvironmentVariable): string | null {
  return access === 'write' && format !== 'filepath' ? 'has a meaning only with format filepath' : null;
}
