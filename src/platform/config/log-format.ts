/**
 * Returns the form of the log for what happens before the settings are read, or where they cannot be: that of LOG_FORMAT in
 * the environment, json for any other value (contract §8.1).
 */
export function logFormatOf(environment: NodeJS.ProcessEnv = process.env): 'json' | 'text' {
  return environment['LOG_FORMAT'] === 'text' ? 'text' : 'json';
}
