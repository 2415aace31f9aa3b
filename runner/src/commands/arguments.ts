import { parseArgs } from 'node:util';

export type Flags = ReturnType<typeof argumentsOf>['flags'];

/** Returns the command, its operands and its flags. @throws {TypeError} for a flag that is unknown */
export function argumentsOf() {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      config: { ...text, short: 'c', default: 'awp-runner.yaml' },
      json: { type: 'boolean', default: false },
      'allow-insecure': { type: 'boolean', default: false },
      follow: { type: 'boolean', short: 'f', default: false },
      url: text,
      agent: text,
      acp: text,
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
    },
  });
  const [command = 'help', ...rest] = positionals;
  const name = values.help ? 'help' : values.version ? 'version' : command;
  return { flags: values, name, rest };
}
